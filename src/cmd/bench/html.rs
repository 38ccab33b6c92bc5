//! HTML in which a text cannot become markup: only string literals of this program are markup, and
//! all other texts are escaped.

/// A growing text of HTML.
#[derive(Debug, Default)]
pub struct Html(String);

impl Html {
    /// Adds markup. It is known when the program is built, so that no value can be among it.
    pub fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds a text, or the value of an attribute in double quotes.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                _ => self.0.push(c),
            }
        }
        self
    }

    /// Adds an element with a text in it.
    pub fn element(&mut self, tag: &'static str, text: &str) -> &mut Self {
        self.markup("<").markup(tag).markup(">").text(text).markup("</").markup(tag).markup(">\n")
    }

    /// Adds a part of a line, with a class of the style sheet.
    pub fn span(&mut self, class: &'static str, text: &str) -> &mut Self {
        self.markup("<span class=\"").markup(class).markup("\">").text(text).markup("</span>\n")
    }

    /// Returns the text.
    pub fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_no_markup() {
        let mut html = Html::default();
        html.element("p", "<script>alert('1 & \"2\"')</script>").span("x", "\" onload=\"");
        assert_eq!(
            html.finish(),
            "<p>&lt;script&gt;alert(&#39;1 &amp; &quot;2&quot;&#39;)&lt;/script&gt;</p>\n\
             <span class=\"x\">&quot; onload=&quot;</span>\n"
        );
    }
}
