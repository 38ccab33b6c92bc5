//! Builds the member `results` of a JSON document as text. A tree of JSON values would need much
//! more memory, because a list can contain millions of files.

use super::json::json_text;
use super::{Error, write_stdout};
use serde_json::{Map, Value};

/// The minimum length in bytes of a piece that is written before the document is complete.
const MIN_PIECE_LEN: usize = 1 << 20;

/// The member name for the results.
const RESULTS: &str = "results";

/// The member `results` of a JSON document.
#[derive(Default)]
pub struct ResultsWriter {
    /// The elements that are not written yet, with commas between them.
    text: String,
    /// Whether the start of the document and the first elements have already been written.
    is_begun: bool,
    failure: Option<Error>,
}

impl ResultsWriter {
    /// Creates the member with these elements.
    pub fn of(elements: &[Value]) -> Self {
        let mut results = Self::default();
        elements.iter().for_each(|element| results.add(element));
        results
    }

    fn add(&mut self, element: &Value) {
        if self.is_begun || !self.text.is_empty() {
            self.text.push(',');
        }
        self.text += &json_text(element);
    }

    /// Adds an element. If the text is long, writes it to standard output. If a write fails,
    /// [`Self::finish`] returns the error.
    pub fn push(&mut self, element: &Value) {
        self.add(element);
        if self.text.len() >= MIN_PIECE_LEN {
            self.write_piece();
        }
    }

    fn write_piece(&mut self) {
        let start = if self.is_begun { "" } else { "{\"results\":[" };
        self.is_begun = true;
        let piece = format!("{start}{}", std::mem::take(&mut self.text));
        if self.failure.is_none() {
            self.failure = write_stdout(piece.as_bytes()).err();
        }
    }

    /// Returns the document with the results and these members. If the document was partly written,
    /// returns the remaining part.
    pub fn end(&self, members: &Map<String, Value>) -> String {
        let mut members = members.clone();
        let mut document = String::new();
        if self.is_begun {
            document += &self.text;
            document.push(']');
        } else {
            // The members are sorted by name, so this placeholder determines the position of the
            // results.
            members.insert(RESULTS.to_owned(), Value::Null);
        }
        for (name, value) in &members {
            document.push(if document.is_empty() { '{' } else { ',' });
            document += &format!("\"{name}\":");
            if name == RESULTS {
                document += &format!("[{}]", self.text);
            } else {
                document += &json_text(value);
            }
        }
        document + "}\n"
    }

    /// Writes the document in a single line, with these members sorted by name. If a part of the
    /// document was already written, the results are the first member.
    ///
    /// # Errors
    /// Fails if standard output cannot be written, or if an earlier write failed.
    pub fn finish(mut self, members: &Map<String, Value>) -> Result<(), Error> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => write_stdout(self.end(members).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn members() -> Map<String, Value> {
        Map::from_iter([("ok".to_owned(), json!(true)), ("schema".to_owned(), json!("fndsa/test@1"))])
    }

    #[test]
    fn a_document_has_its_members_in_order() {
        let mut results = ResultsWriter::default();
        results.add(&json!({ "path": "a\u{7f}\"" }));
        results.add(&json!(2));
        assert_eq!(
            results.end(&members()),
            "{\"ok\":true,\"results\":[{\"path\":\"a\\u007f\\\"\"},2],\"schema\":\"fndsa/test@1\"}\n"
        );
        assert_eq!(
            ResultsWriter::default().end(&members()),
            "{\"ok\":true,\"results\":[],\"schema\":\"fndsa/test@1\"}\n"
        );
    }

    #[test]
    fn a_document_written_in_pieces_is_the_same_document() {
        let mut results = ResultsWriter { is_begun: true, ..ResultsWriter::default() };
        results.add(&json!(2));
        let whole = format!("{{\"results\":[1{}", results.end(&members()));
        assert_eq!(serde_json::from_str::<Value>(&whole).unwrap()["results"], json!([1, 2]), "{whole}");
        results.text.clear();
        let whole = format!("{{\"results\":[1{}", results.end(&members()));
        assert_eq!(serde_json::from_str::<Value>(&whole).unwrap()["results"], json!([1]), "{whole}");
    }
}
