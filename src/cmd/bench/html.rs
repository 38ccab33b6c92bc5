//! Builds HTML in which text cannot become markup: all markup comes from string literals in this
//! program, and all other text is escaped.

/// A builder for HTML text.
#[derive(Debug, Default)]
pub struct Html(String);

impl Html {
    /// Adds markup. The markup must be known when the program is built, so it cannot contain
    /// values.
    pub fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds a text, or an attribute value in double quotes. Special characters are escaped.
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

    /// Adds an element that contains a text.
    pub fn element(&mut self, tag: &'static str, text: &str) -> &mut Self {
        self.markup("<").markup(tag).markup(">").text(text).markup("</").markup(tag).markup(">\n")
    }

    /// Adds a part of a line, with a class from the style sheet.
    pub fn span(&mut self, class: &'static str, text: &str) -> &mut Self {
        self.markup("<span class=\"").markup(class).markup("\">").text(text).markup("</span>\n")
    }

    /// Returns the HTML text.
    pub fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut html = Html::default();
        html.element("p", "<script>alert('1 & \"2\"')</script>").span("x", "\" onload=\"");
        assert_eq!(
            html.finish(),
            "<p>&lt;script&gt;alert(&#39;1 &amp; &quot;2&quot;&#39;)&lt;/script&gt;</p>\n\
             <span class=\"x\">&quot; onload=&quot;</span>\n"
        );
    }
}
