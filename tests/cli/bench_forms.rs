//! Tests for the reports that `bench` writes for readers: an HTML page, LaTeX tables for a paper,
//! and core cycle counts.

use crate::bench::QUICK;
use crate::harness::TestDirectory;

/// HTML elements without an end tag.
const VOID: [&str; 1] = ["meta"];

/// Checks that the elements of a page are correctly nested, and that its text contains no unescaped
/// markup characters. Returns the names of all tags, in order.
fn check_elements(page: &str) -> Vec<String> {
    let (head, style, body) = {
        let (head, rest) = page.split_once("<style>").unwrap();
        let (style, body) = rest.split_once("</style>").unwrap();
        (head, style, body)
    };
    assert!(!style.contains('<') && !style.contains("url("), "{style}");
    let page = format!("{}{body}", head.strip_prefix("<!DOCTYPE html>\n").unwrap());
    let mut open: Vec<String> = Vec::new();
    let mut names = Vec::new();
    for (i, piece) in page.split('<').enumerate() {
        let text = if i == 0 {
            piece
        } else {
            let (tag, text) = piece.split_once('>').unwrap_or_else(|| panic!("<{piece} has no end"));
            let name = tag.trim_matches('/').split(' ').next().unwrap().to_owned();
            assert!(tag.matches('"').count() % 2 == 0, "{tag}");
            if tag.starts_with('/') {
                assert_eq!(open.pop().as_deref(), Some(&name[..]));
            } else if !tag.ends_with('/') && !VOID.contains(&&name[..]) {
                open.push(name.clone());
            }
            names.push(name);
            text
        };
        assert!(!text.contains(['>', '"', '\'']), "{text}");
    }
    assert!(open.is_empty(), "{open:?}");
    names
}

#[test]
fn a_page_is_one_file_without_a_script() {
    let directory = TestDirectory::empty();
    let line = format!(
        "{QUICK} --backend scalar --backend emulated -a 512 -a 1024 --profile --stack --batch 3 keygen verify-repeat verify-batch hash \
         --subroutine ntt --message-size 64,2K"
    );
    let output =
        directory.run(&format!("{line} --report page.html --export-json a&b'c.json")).code(0).out_has("median");
    let page = String::from_utf8(directory.get("page.html")).unwrap();
    let names = check_elements(&page);
    for foreign in ["script", "link", "img", "iframe", "object", "a", "form"] {
        assert!(!names.iter().any(|name| name == foreign), "{foreign}");
    }
    assert!(!page.contains("http") && !page.contains("src="), "{page}");
    // The page contains the command line as text that a reader can paste into a shell.
    assert!(page.contains("--backend scalar --backend emulated -a 512 -a 1024") && page.contains("a&amp;b"), "{page}");
    for heading in ["At a glance", "Operations", "Batches", "Where the time goes", "Hashes", "All figures"] {
        assert!(page.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    for fact in ["share of the core", "version of fndsa", "date"] {
        assert!(page.contains(&format!("<dt>{fact}</dt>")), "{fact}");
    }
    for text in
        ["FN-DSA-1024", "3 at once", "messages of 2K bytes", "1.00\u{d7}", "prefers-color-scheme: dark", "@media print"]
    {
        assert!(page.contains(text), "{text}");
    }
    // The table "All figures" has a row for each result row.
    let rows = directory.get("a&b'c.json");
    let rows: serde_json::Value = serde_json::from_slice(&rows).unwrap();
    let table = page.split("<h2>All figures</h2>").nth(1).unwrap();
    assert_eq!(table.matches("<tr>").count(), rows["results"].as_array().unwrap().len() + 1, "{output:?}");
    // The page also lists all warnings.
    let warnings = rows["warnings"].as_array().unwrap().len();
    let list = page
        .split("<ul class=\"warnings\">")
        .nth(1)
        .map_or(0, |list| list.split("</ul>").next().unwrap().matches("<li>").count());
    assert_eq!(list, warnings);
}

#[test]
fn a_report_replaces_a_file_only_with_force() {
    let directory = TestDirectory::empty();
    let line = format!("{QUICK} -a 512 verify --report page.html");
    directory.run(&line).code(0);
    directory.put("page.html", "mine");
    directory.run(&line).code(4).out_empty().err_has("page.html: exists already");
    assert_eq!(directory.get("page.html"), b"mine");
    directory.run(&format!("{line} --export-json page.html")).code(2).out_empty().err_has("page.html");
    directory.run(&format!("{QUICK} -a 512 verify --report -")).code(2).out_empty().err_has("standard output");
    directory.put("base.json", "{}");
    directory.run(&format!("{line} -f --baseline base.json")).code(3).out_empty();
    directory.run(&format!("{line} -f --baseline page.html")).code(2).out_empty();
    assert_eq!(directory.get("page.html"), b"mine");
    directory.run(&format!("{line} -f --export-json nowhere/e.json")).code(4).out_empty();
    assert_eq!(directory.get("page.html"), b"mine");
    // If the HTML file of `--report` or the JSON file of `--export-json` cannot be written, fndsa
    // writes neither file.
    directory.run(&format!("{line} -f --export-json /dev/full")).code(4).err_has("no space left");
    assert_eq!(directory.get("page.html"), b"mine");
    directory
        .run(&format!("{QUICK} -a 512 verify --export-json e.json --report /dev/full"))
        .code(4)
        .err_has("no space left");
    assert!(!directory.has("e.json"));
    directory.run(&format!("{line} -f --export-json e.json")).code(0);
    assert!(check_elements(&String::from_utf8(directory.get("page.html")).unwrap()).contains(&"table".to_owned()));
}

#[test]
fn the_paper_form_has_tables() {
    let directory = TestDirectory::empty();
    let output = directory
        .run(&format!("-q {QUICK} -a 512 --backend scalar --backend emulated --format paper"))
        .code(0)
        .err_empty();
    let tables: Vec<_> = output.out.split("\n\n").collect();
    let captions: Vec<_> = tables[1..].iter().map(|table| table.lines().next().unwrap()).collect();
    assert_eq!(captions.len(), 9, "{}", output.out);
    assert!(
        captions[0].starts_with("% Operations, in thousands") && captions[1] == "% Parts of operations",
        "{captions:?}"
    );
    assert_eq!(captions[4], "% Profile of sign-repeat, in percent");
    for table in &tables[3..8] {
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[1].ends_with(" rest &   sum \\\\"), "{table}");
        // The column `sum` adds the parts in percent. If a sum is above 100, a note
        // explains it.
        let sums = lines[2..4].iter().map(|row| row.trim_end_matches(" \\\\").rsplit_once("& ").unwrap().1);
        let above = sums.filter(|sum| sum.trim().parse::<f64>().unwrap() > 100.05).count();
        assert!(above == 0 || lines[4].starts_with("% sum: each part is timed alone."), "{table}");
    }
    assert!(captions[7].starts_with("% Ablations: the time without a technique"), "{captions:?}");
    assert_eq!(captions[8], "% Bytes of keys and signatures");
    for table in &tables[1..] {
        let rows: Vec<_> = table.lines().filter(|line| !line.starts_with('%')).collect();
        assert!(rows.iter().all(|row| row.ends_with(" \\\\") && row.len() == rows[0].len()), "{table}");
        let cells = |row: &str| row.matches(" & ").count();
        assert!(rows.iter().all(|row| cells(row) == cells(rows[0])), "{table}");
        assert_eq!(rows.len(), if table.contains("Bytes of keys") { 2 } else { 3 }, "{table}");
    }
    assert!(
        tables[2].contains("sign-core") && tables[2].contains("% sampler: The samples of one signature"),
        "{}",
        tables[2]
    );
    // The second table has the columns that papers about Falcon publish, such as the base sampler
    // and both transforms.
    let columns = [
        "algorithm",
        "level",
        "base-sampler",
        "sampler",
        "fft-forward",
        "fft-inverse",
        "sign-core",
        "sign-core-encoded",
        "hash-to-point",
        "keccak",
        "keccak-lanes",
        "keccak-serial",
        "ntt",
    ];
    let heading = tables[2].lines().nth(1).unwrap().trim_end_matches("\\\\");
    assert_eq!(heading.split('&').map(str::trim).collect::<Vec<_>>(), columns);
    assert!(tables[8].contains("lanes of Keccak & expanded key \\\\"), "{}", tables[8]);
    assert!(
        tables[8].ends_with(
            "% lanes of Keccak: keccak-serial / keccak-lanes\n% expanded key: sign-core-encoded / sign-core"
        )
    );
    assert!(tables[9].contains("897 &        1345 &       666"), "{}", tables[9]);
    // The table of ablations compares two operations in each column. The column "batch of
    // signatures" needs both `sign-repeat` and `sign-batch`. Each message size has a separate row.
    let ops = "sign-repeat sign-batch verify-batch --batch 8 --message-size 8,64";
    let output = directory.run(&format!("-q {QUICK} -a 512 --backend scalar --format paper {ops}")).code(0);
    let (_, table) = output.out.split_once("\n% Ablations: ").unwrap();
    let table: Vec<_> = table.split("\n\n").next().unwrap().lines().skip(1).collect();
    assert!(table.len() == 4 && table[0].ends_with("& batch of signatures \\\\"), "{table:?}");
    assert!(table[1..3].iter().all(|row| !row.contains("--")), "{table:?}");
    assert_eq!(table[3], "% batch of signatures: sign-repeat / sign-batch");
    // `bench` measures only the operations on the command line. ML-DSA has no rows for parts of an
    // operation.
    let output =
        directory.run(&format!("-q {QUICK} -a ml-dsa-44 --backend scalar --format paper verify sign-batch")).code(0);
    assert!(
        output.out.contains("verify") && output.out.contains("sign-batch x188") && !output.out.contains("sign-core"),
        "{output:?}"
    );
    let levels = directory.run("--json --backend emulated bench -a 512 -t 0.001 --samples 3 verify").code(0).json();
    let levels = levels["env"]["features"].as_array().unwrap().len();
    let output = directory.run(&format!("-q {QUICK} -a 512 --format paper verify")).code(0);
    assert_eq!(output.out.matches("FN-DSA-512").count(), 2 * levels + 1, "{output:?}");
    directory.run(&format!("--json {QUICK} -a 512 --format paper verify")).code(2);
    directory.run(&format!("{QUICK} -a 512 verify --export-json e.json")).code(0);
    directory
        .run("bench --diff e.json e.json --format paper")
        .code(2)
        .out_empty()
        .err_has("--diff cannot be printed as tables of a paper");
}

/// Some systems do not allow a program to count core cycles. The note, the columns and the document
/// agree on whether the cycles were counted.
#[test]
fn core_cycles_are_measured_or_reported_as_missing() {
    let directory = TestDirectory::empty();
    let output = directory.run(&format!("{QUICK} -a 512 verify --export-json e.json")).code(0);
    let document: serde_json::Value = serde_json::from_slice(&directory.get("e.json")).unwrap();
    let has_none = output.err.contains("note: cycles of the core are not counted: ");
    assert_eq!(output.out.lines().next().unwrap().contains(" core cycles "), !has_none, "{output:?}");
    let row = document["results"][0].as_object().unwrap();
    assert!(row.contains_key("core_cycles_median") && (!has_none || row["core_cycles_median"].is_null()), "{row:?}");
    let csv = directory.run(&format!("-q {QUICK} -a 512 verify --format csv")).code(0).out;
    assert_eq!(csv.lines().next().unwrap().contains(",core_cycles_median,"), !has_none, "{csv}");
    let columns: Vec<_> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns[0], columns[1], "{csv}");
}
