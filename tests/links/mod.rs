//! Links between the documents: each leads to a file that is there, and to a heading in it.

use super::none;
use std::fs;
use std::path::Path;

/// What a heading is called in a link: small letters and digits, blanks as hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The text of a document without what is fenced.
fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

#[test]
fn links_in_documents_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let in_folder = |folder: &str| fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let documents = in_folder("").chain(in_folder("docs")).filter(|path| path.extension().is_some_and(|it| it == "md"));
    let (mut found, mut seen) = (vec![], 0);
    for document in documents {
        let text = prose(&fs::read_to_string(&document).unwrap());
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            seen += 1;
            let (file, part) = link.split_once('#').map_or((link, None), |(file, part)| (file, Some(part)));
            let target = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            let has = |part: &str| {
                let text = prose(&fs::read_to_string(&target).unwrap_or_default());
                text.lines().any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#').trim()) == part)
            };
            if !target.exists() || !part.is_none_or(has) {
                found.push(format!("{}: {link}", document.display()));
            }
        }
    }
    none(found, "a link that leads nowhere");
    assert!(seen > 50, "{seen} links were seen");
}
