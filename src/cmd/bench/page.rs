//! Writes the result as an HTML page. The page is a single file without scripts, and loads no other
//! files.
//!
//! The page consists of cards, each with a heading and bars. All bars in a card have the same
//! scale, and the length of a bar is proportional to its number. A thin line in the bar shows the
//! confidence interval of the median. In the card of a profile, all bars have the full width, and
//! segments show the shares of the parts.

use super::hashes::AUTO;
use super::html::Html;
use super::machine;
use super::plan::{RowKey, distinct};
use super::profile::{PARTS, Profile};
use super::row::{EncodedLengths, ResultPrinter, ResultRow};
use super::table::{TableCell, bytes, duration, unquoted_text};
use super::work::{BenchOperation, BenchTarget, about};
use crate::tool::report::escape::shown;
use serde_json::Value;

/// The style sheet, which is included in the page.
const STYLE: &str = include_str!("page.css");
/// The CSS classes for the colors, in order.
const COLORS: [&str; 8] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];
/// The name of the only operation without a message.
const KEYGEN: &str = BenchTarget::Op(BenchOperation::Keygen).name();
/// Pairs of operations: an operation on batches, and the operation that does its work for single
/// messages.
const BATCHES: [(&str, &str); 2] = [("sign-batch", "sign-repeat"), ("verify-batch", "verify-repeat")];

/// The page's contents.
pub struct HtmlPage<'a> {
    /// The machine's description.
    pub env: &'a Value,
    /// The reasons why the figures may be inaccurate.
    pub warnings: &'a [String],
    /// The rows of the result.
    pub rows: &'a [ResultRow],
    /// The printer for the table of all figures.
    pub printer: &'a ResultPrinter,
}

/// Returns the command line of this process, quoted so that a user can paste it into a shell.
pub fn command() -> String {
    let mut words = vec!["fndsa".to_owned()];
    for argument in std::env::args_os().skip(1) {
        words.push(shown(argument));
    }
    words.join(" ")
}

/// A bar with the texts next to it.
struct FigureBar {
    /// The algorithm or hash, which can be the same for neighbouring bars.
    subject_text: String,
    /// The text that distinguishes bars with the same subject.
    variant: String,
    color: usize,
    /// The number that the bar shows. All bars in a card have the same unit.
    figure: f64,
    /// The two ends of the confidence interval.
    interval: Option<[f64; 2]>,
    value: String,
    spread: String,
    ratio: String,
    is_noisy: bool,
}

impl HtmlPage<'_> {
    /// Returns the page. It contains the command line, so that the run can be repeated.
    pub fn html(&self, command: &str) -> String {
        let mut html = Html::default();
        let cpu = self.env["cpu"].as_str().unwrap_or("Unknown CPU");
        html.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.element("title", &format!("fndsa bench: {cpu}"));
        html.markup("<style>\n").markup(STYLE).markup("</style>\n</head>\n<body>\n");
        html.markup("<header>\n<p class=\"kind\">fndsa bench</p>\n").element("h1", cpu);
        self.machine(&mut html);
        html.markup("<pre><code>").text(command).markup("</code></pre>\n");
        if !self.warnings.is_empty() {
            html.markup("<ul class=\"warnings\">\n");
            for warning in self.warnings {
                html.element("li", warning);
            }
            html.markup("</ul>\n");
        }
        html.markup("</header>\n<main>\n");
        self.overview(&mut html);
        self.operations(&mut html);
        self.batches(&mut html);
        self.profiles(&mut html);
        self.hashes(&mut html);
        self.figures(&mut html);
        html.markup("</main>\n").markup(NOTES).markup("</body>\n</html>\n");
        html.finish()
    }

    fn machine(&self, html: &mut Html) {
        let env = self.env;
        let levels: Vec<_> = env["features"].as_array().into_iter().flatten().map(unquoted_text).collect();
        let counter = match env["counter_hz"].as_u64() {
            Some(hz) => machine::megahertz(hz),
            None => String::new(),
        };
        let threads = match self.rows.first() {
            Some(row) => row.key.threads.to_string(),
            None => String::new(),
        };
        let facts = [
            ("processor", unquoted_text(&env["cpu_id"])),
            ("architecture", unquoted_text(&env["arch"])),
            ("levels", levels.join(", ")),
            ("cores", unquoted_text(&env["cores"])),
            ("counter of cycles", counter),
            ("system", unquoted_text(&env["os"])),
            ("frequency governor", unquoted_text(&env["governor"])),
            ("threads", threads),
            ("share of the core", machine::core_share(env).unwrap_or_default()),
            ("version of fndsa", unquoted_text(&env["version"])),
            ("commit", unquoted_text(&env["commit"])),
            ("compiler", unquoted_text(&env["compiler"])),
            ("date", unquoted_text(&env["date"])),
        ];
        html.markup("<dl class=\"facts\">\n");
        for (name, fact) in &facts {
            if !fact.is_empty() {
                html.markup("<div>").element("dt", name).element("dd", fact).markup("</div>\n");
            }
        }
        html.markup("</dl>\n");
    }

    /// Returns the rows for operations without batches. The result contains no parts and no hashes.
    fn single(&self) -> Vec<&ResultRow> {
        let mut single = Vec::new();
        for row in self.rows {
            if row.lengths.is_some() && row.key.batch.is_none() {
                single.push(row);
            }
        }
        single
    }

    /// Returns the rows for an operation.
    fn rows_of(&self, op: &str) -> Vec<&ResultRow> {
        let mut rows = Vec::new();
        for row in self.rows {
            if row.key.op == op {
                rows.push(row);
            }
        }
        rows
    }

    /// Writes the operations per second for each algorithm and operation, on the fastest measured
    /// level.
    fn overview(&self, html: &mut Html) {
        let single = self.single();
        let ops = distinct_operations(&single);
        let subjects = distinct(single.iter().map(|row| self.subject(row)));
        if subjects.is_empty() {
            return;
        }
        html.element("h2", "At a glance");
        let text = "Operations in a second, all threads together, on the fastest level that was measured; and the time of one.";
        html.element("p", text)
            .markup("<div class=\"wide\"><table class=\"glance\">\n<thead><tr><th class=\"left\">algorithm</th>\n");
        for op in &ops {
            html.element("th", op);
        }
        html.markup("</tr></thead>\n<tbody>\n");
        for subject in subjects {
            let rows: Vec<_> = single.iter().filter(|row| self.subject(row) == subject).copied().collect();
            html.markup("<tr><td class=\"left\">").text(&subject);
            if let [ResultRow { lengths: Some(lengths), .. }, ..] = &rows[..] {
                let EncodedLengths { public_key, private_key, signature } = *lengths;
                let pk = digit_groups(public_key as f64);
                let sk = digit_groups(private_key as f64);
                let sig = digit_groups(signature as f64);
                html.span("on", &format!("pk {pk}, sk {sk}, sig {sig} bytes"));
            }
            if let Some(row) = rows.iter().find(|row| row.key.op != KEYGEN) {
                html.span("on", &format!("messages of {} bytes", bytes(row.key.message_bytes)));
            }
            html.markup("</td>\n");
            for op in &ops {
                html.markup("<td>");
                match fastest(&rows, op) {
                    Some(row) => {
                        html.text(&digit_groups(row.measured.total.per_second()));
                        html.span("on", &format!("{} on {}", duration(median(row)), row.key.backend))
                    }
                    None => html.text("-"),
                };
                html.markup("</td>\n");
            }
            html.markup("</tr>\n");
        }
        html.markup("</tbody></table></div>\n");
    }

    /// Returns the algorithm of a row, and the message length if several lengths were measured.
    fn subject(&self, row: &ResultRow) -> String {
        let algorithm = &row.key.algorithm;
        if row.lengths.is_some() {
            for other in self.rows {
                let is_alike = other.lengths.is_some() && other.key.algorithm == *algorithm;
                if is_alike && other.key.message_bytes != row.key.message_bytes {
                    return format!("{algorithm}, messages of {}", bytes(row.key.message_bytes));
                }
            }
        }
        algorithm.clone()
    }

    /// Returns a row's color number. Each algorithm has a color, or each level if there is a single
    /// algorithm.
    fn color(&self, row: &ResultRow) -> usize {
        let algorithms = distinct(self.rows.iter().map(|row| &row.key.algorithm));
        let (names, name) = if algorithms.len() == 1 {
            (distinct(self.rows.iter().map(|row| &row.key.backend)), &row.key.backend)
        } else {
            (algorithms, &row.key.algorithm)
        };
        let position = names.iter().position(|other| *other == name);
        position.unwrap_or_default() % COLORS.len()
    }

    /// Creates the bar for the row's median.
    fn bar(&self, row: &ResultRow) -> FigureBar {
        let ns = &row.measured.ns;
        let is_noisy = row.measured.is_noisy();
        FigureBar {
            // The time to create a key does not depend on the message length.
            subject_text: if row.key.op == KEYGEN { row.key.algorithm.clone() } else { self.subject(row) },
            variant: row.key.backend.clone(),
            color: self.color(row),
            figure: ns.median,
            interval: Some([ns.median - ns.median_ci95, ns.median + ns.median_ci95]),
            value: duration(ns.median),
            spread: format!("\u{b1} {:.1} %{}", row.measured.uncertainty(), if is_noisy { " !" } else { "" }),
            ratio: match row.ratio {
                Some(ratio) => times(ratio),
                None => String::new(),
            },
            is_noisy,
        }
    }

    /// Writes a card for each operation, and for each part.
    fn operations(&self, html: &mut Html) {
        let mut rows = Vec::new();
        for row in self.rows {
            if row.key.batch.is_none() && row.key.op != BenchTarget::Hash.name() {
                rows.push(row);
            }
        }
        let ops = distinct_operations(&rows);
        if ops.is_empty() {
            return;
        }
        html.element("h2", "Operations");
        let mut text = "Median time of one call: short bars are fast.".to_owned();
        if let Some(row_with_ratio) = self.rows.iter().find(|row| row.ratio.is_some()) {
            let level = &row_with_ratio.key.backend;
            text.push_str(&format!(" The last column says how many times as fast as {level} a level is."));
        }
        html.element("p", &text);
        for op in ops {
            let mut bars = Vec::new();
            for row in &rows {
                if row.key.op == op {
                    bars.push(self.bar(row));
                }
            }
            card(html, op, &about(op).unwrap_or_default(), &bars);
        }
    }

    /// Writes a card for each batch operation. A bar above the batch's bar shows the operation that
    /// processes single messages.
    fn batches(&self, html: &mut Html) {
        if self.rows.iter().all(|row| row.key.batch.is_none()) {
            return;
        }
        html.element("h2", "Batches");
        let text = "Many messages in one call of the library, and the time of one of them. The last column says how many times as fast \
                    as one by one that is, where both were measured.";
        html.element("p", text);
        for (op, one_by_one) in BATCHES {
            let mut bars = Vec::new();
            for row in self.rows_of(op) {
                let key = RowKey { op: one_by_one.to_owned(), batch: None, threads: 0, ..row.key.clone() };
                let other = self.rows.iter().find(|row| RowKey { batch: None, threads: 0, ..row.key.clone() } == key);
                let mut ratio = String::new();
                if let Some(other) = other {
                    let bar = self.bar(other);
                    bars.push(FigureBar { variant: format!("{}, one by one", bar.variant), ratio: times(1.0), ..bar });
                    ratio = times(median(other) / median(row));
                }
                let bar = self.bar(row);
                let variant = format!("{}, {} at once", bar.variant, row.key.batch.unwrap_or_default());
                bars.push(FigureBar { variant, ratio, ..bar });
            }
            if !bars.is_empty() {
                card(html, op, &about(op).unwrap_or_default(), &bars);
            }
        }
    }

    /// Writes the times for the parts of each operation.
    fn profiles(&self, html: &mut Html) {
        let mut profiles = Vec::new();
        for row in self.rows {
            if let Some(profile) = &row.profile {
                profiles.push((row, profile));
            }
        }
        let ops = distinct(profiles.iter().map(|(row, _)| row.key.op.as_str()));
        if ops.is_empty() {
            return;
        }
        html.element("h2", "Where the time goes");
        let text = "Each part was timed alone and counted as often as the operation calls it. Where parts take longer alone than the \
                    whole, they overlap: the bar is then that of the parts, and their shares add up to more than 100 %.";
        html.element("p", text).markup("<ul class=\"legend\">\n");
        for (part, color) in PARTS.iter().zip(COLORS) {
            html.markup("<li><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect width=\"1\" height=\"1\" class=\"");
            html.markup(color).markup("\"/></svg>").text(part).markup("</li>\n");
        }
        html.markup("</ul>\n");
        for op in ops {
            html.markup("<section class=\"card\">\n").element("h3", op).markup("<ul class=\"bars parts\">\n");
            let mut bars = Vec::new();
            let mut bar_profiles = Vec::new();
            for (row, profile) in &profiles {
                if row.key.op == op {
                    bars.push(self.bar(row));
                    bar_profiles.push(profile);
                }
            }
            for (i, profile) in bar_profiles.into_iter().enumerate() {
                begin_bar(html, &bars, i);
                draw_segments(html, &segments(profile), None);
                html.span("value", &bars[i].value).span("shares", &profile.words(|_, share| share >= 0.05));
                html.markup("</li>\n");
            }
            html.markup("</ul>\n</section>\n");
        }
    }

    /// Writes a card with the speeds of the hashes, for each message length.
    fn hashes(&self, html: &mut Html) {
        let rows = self.rows_of(BenchTarget::Hash.name());
        let sizes = distinct(rows.iter().map(|row| row.key.message_bytes));
        if sizes.is_empty() {
            return;
        }
        html.element("h2", "Hashes");
        let text = "Millions of bytes that one thread hashes in a second, by the median time: long bars are fast. SHAKE256 is the hash of \
                    the schemes and the pre-hash of that name; the others are pre-hashes.";
        html.element("p", text);
        for size in sizes {
            let mut bars = Vec::new();
            for row in &rows {
                if row.key.message_bytes != size {
                    continue;
                }
                let mut bar = self.bar(row);
                if let Some([low, high]) = bar.interval {
                    bar.interval = Some([megabytes(size, low), megabytes(size, high)]);
                }
                let is_auto = row.key.backend == AUTO;
                let variant = if is_auto { String::new() } else { format!("on {}", bar.variant) };
                let figure = megabytes(size, bar.figure);
                let value = format!("{} MB/s", digit_groups(figure));
                bars.push(FigureBar { variant, figure, value, color: usize::from(is_auto), ..bar });
            }
            card(html, &format!("messages of {} bytes", bytes(size)), "", &bars);
        }
    }

    /// Writes the table with all figures.
    fn figures(&self, html: &mut Html) {
        html.element("h2", "All figures").markup("<div class=\"wide\"><table>\n<thead><tr>");
        row_of_cells(html, self.printer.names(), ["<th>", "<th class=\"left\">", "</th>"]);
        html.markup("</tr></thead>\n<tbody>\n");
        for row in self.rows {
            html.markup("<tr>");
            row_of_cells(html, self.printer.cells(row), ["<td>", "<td class=\"left\">", "</td>"]);
            html.markup("</tr>\n");
        }
        html.markup("</tbody></table></div>\n");
    }
}

/// The footer of the page, which explains the figures.
const NOTES: &str = "<footer>\n<h2>How to read this</h2>\n\
<p>A sample is the mean over several calls. Bars and times are medians over the samples. &#177; says how far the median may be off, \
with a confidence of 95 %; the thin line in a bar shows the same. A figure with ! may be off by more than 5 %: it is noise more \
than measurement.</p>\n\
<p>Operations in a second are all calls over the time that they took together, with what a median leaves out: the few long calls \
of key generation and signing, interruptions, and the waiting of threads that share a core.</p>\n\
<p>cycles/op are ticks of the counter of cycles named above, which is the reference clock of the processor and not that of its \
core. Signing and verification include hashing the message.</p>\n</footer>\n";

/// Returns the operation names in these rows.
fn distinct_operations<'a>(rows: &[&'a ResultRow]) -> Vec<&'a str> {
    distinct(rows.iter().map(|row| row.key.op.as_str()))
}

/// Returns the row with the smallest median among the rows for an operation.
fn fastest<'a>(rows: &[&'a ResultRow], op: &str) -> Option<&'a ResultRow> {
    let mut fastest: Option<&ResultRow> = None;
    for &row in rows {
        if row.key.op != op {
            continue;
        }
        match fastest {
            Some(other) if median(other).total_cmp(&median(row)).is_le() => {}
            _ => fastest = Some(row),
        }
    }
    fastest
}

/// Writes cells. The tags around a cell depend on its alignment.
fn row_of_cells(html: &mut Html, cells: Vec<TableCell>, [open, open_left, close]: [&'static str; 3]) {
    for (text, width) in cells {
        html.markup(if width < 0 { open_left } else { open }).text(&text).markup(close);
    }
}

/// Returns the speed in millions of bytes per second, if `size` bytes take `ns` nanoseconds.
fn megabytes(size: u64, ns: f64) -> f64 {
    1e3 * size as f64 / ns.max(f64::MIN_POSITIVE)
}

/// Returns the segments of a bar for a profile. A segment consists of a color number, and of its
/// start and length as fractions of the bar.
fn segments(profile: &Profile) -> Vec<(usize, f64, f64)> {
    let all: f64 = profile.ns.iter().sum();
    let mut segments = Vec::new();
    let mut begin = 0.0;
    for (color, ns) in profile.ns.iter().enumerate() {
        segments.push((color, begin, ns / all));
        begin += ns / all;
    }
    segments
}

fn median(row: &ResultRow) -> f64 {
    row.measured.ns.median
}

/// Formats a ratio with two decimals and a multiplication sign.
fn times(ratio: f64) -> String {
    format!("{ratio:.2}\u{d7}")
}

/// Formats a number as a rounded integer, in groups of three digits. A number below 100 that is not
/// an integer has a digit after the point.
fn digit_groups(number: f64) -> String {
    if number < 100.0 && number.fract() != 0.0 {
        return format!("{number:.1}");
    }
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Writes bars with a common scale, below a heading.
fn card(html: &mut Html, title: &str, about: &str, bars: &[FigureBar]) {
    html.markup("<section class=\"card\">\n").element("h3", title);
    if !about.is_empty() {
        html.element("p", about);
    }
    let has_ratios = bars.iter().any(|bar| !bar.ratio.is_empty());
    html.markup(if has_ratios { "<ul class=\"bars\">\n" } else { "<ul class=\"bars plain\">\n" });
    let mut most = f64::MIN_POSITIVE;
    for bar in bars {
        most = most.max(bar.figure);
    }
    for (i, bar) in bars.iter().enumerate() {
        begin_bar(html, bars, i);
        let mut interval = bar.interval;
        if let Some([low, high]) = interval {
            interval = Some([(low / most).clamp(0.0, 1.0), (high / most).clamp(0.0, 1.0)]);
        }
        draw_segments(html, &[(bar.color, 0.0, bar.figure / most)], interval);
        html.span("value", &bar.value).span(if bar.is_noisy { "spread noisy" } else { "spread" }, &bar.spread);
        html.span("ratio", &bar.ratio).markup("</li>\n");
    }
    html.markup("</ul>\n</section>\n");
}

/// Starts the line for bar `i` in a card. If there are at least two bars for every subject, a
/// subject is written only once, above its bars. Otherwise, the subject is written in every line.
fn begin_bar(html: &mut Html, bars: &[FigureBar], i: usize) {
    let FigureBar { subject_text, variant, .. } = &bars[i];
    // If a subject has a single bar, as for the pre-hashes, the bars are not in groups.
    let has_groups = bars.iter().all(|bar| shares_subject(bar, bars));
    if has_groups && (i == 0 || bars[i - 1].subject_text != *subject_text) {
        html.markup("<li class=\"group\">").text(subject_text).markup("</li>\n");
    }
    html.markup("<li><span class=\"of\">");
    if !has_groups {
        html.text(subject_text).markup(" ");
    }
    html.span("on", variant).markup("</span>\n");
}

/// Returns whether a second bar has the subject of `bar`.
fn shares_subject(bar: &FigureBar, bars: &[FigureBar]) -> bool {
    bars.iter().filter(|other| other.subject_text == bar.subject_text).count() > 1
}

/// Draws a bar: its segments, and a thin line for the confidence interval of its number, if there
/// is one. A segment has a color number, a start and a length. Positions and lengths are fractions
/// of the total width. Screen readers skip the drawing, because the texts next to it contain the
/// same figures.
fn draw_segments(html: &mut Html, segments: &[(usize, f64, f64)], interval: Option<[f64; 2]>) {
    html.markup("<svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    for &(color, begin, length) in segments {
        if length > 0.0 {
            html.markup("<rect x=\"").text(&thousandths(begin)).markup("\" width=\"").text(&thousandths(length));
            html.markup("\" height=\"10\" class=\"").markup(COLORS[color % COLORS.len()]).markup("\"/>");
        }
    }
    if let Some([low, high]) = interval {
        html.markup("<path class=\"spreadline\" d=\"M").text(&thousandths(low));
        html.markup(" 5H").text(&thousandths(high)).markup("\"/>");
    }
    html.markup("</svg>\n");
}

/// Converts a fraction of the width to a coordinate in the drawing, which is 1000 units wide.
fn thousandths(part: f64) -> String {
    format!("{:.2}", 1000.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_numbers_are_grouped() {
        let texts = [0.0, 7.25, 99.96, 100.0, 999.4, 1000.0, 123456.7, 1234567.0].map(digit_groups);
        assert_eq!(texts, ["0", "7.2", "100.0", "100", "999", "1,000", "123,457", "1,234,567"]);
    }

    #[test]
    fn the_style_defines_every_color_and_loads_no_file() {
        for color in COLORS {
            assert!(STYLE.contains(&format!(".{color} {{ fill: var(--{color}); }}")), "{color}");
        }
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import") && !STYLE.contains("</"));
        assert_eq!(distinct([3, 1, 3, 2, 1].into_iter()), [3, 1, 2]);
    }
}
