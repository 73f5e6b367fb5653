//! Compares DECISIONS.md and SPECIFICATION.md with the code: ids, tests, links
//! and keys. Of the other documents beside them it checks the links. The error
//! codes, from which documents are made, it compares with the golden cases.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use order_cost::{CODES, Order};
use serde_json::Value;

const DECISIONS: &str = "DECISIONS.md";
const SPECIFICATION: &str = "SPECIFICATION.md";
/// Documents of which only the links are checked.
const LINKED: [&str; 3] = ["CONTRIBUTING.md", "DESIGN.md", "README.md"];
/// How many decisions there are at least.
const LEAST_SECTIONS: usize = 49;
/// Where an id may stand.
const PLACES: [&str; 11] = [
    "src",
    "pkg-template",
    "worker",
    "www",
    "tests",
    "fuzz",
    "benches",
    "xtask",
    "CONTRIBUTING.md",
    "DESIGN.md",
    "README.md",
];
/// Where the code of a decision may stand.
const CODE: [&str; 3] = ["src", "pkg-template", "worker/src"];
/// Golden cases whose responses have every key, and no key that a host made up.
const CASES: [&str; 4] = [
    "d01-all-35-keys",
    "rule-08-fees-summed",
    "d26-discount-defaults",
    "d30-inactive",
];

#[test]
fn every_id_in_the_code_is_a_section() {
    assert_none(&unknown_ids(&Documents::read(), &ids_in_code()));
}

#[test]
fn the_sections_have_no_gap_and_no_duplicate() {
    assert_none(&Documents::read().section_faults());
}

#[test]
fn every_section_names_tests_that_name_it() {
    assert_none(&Documents::read().test_faults());
}

#[test]
fn every_section_is_named_in_the_code() {
    assert_none(&Documents::read().code_less(&ids_in(&CODE)));
}

#[test]
fn every_link_leads_somewhere() {
    assert_none(&Documents::read().link_faults());
}

#[test]
fn every_key_is_specified() {
    assert_none(&Documents::read().key_faults());
}

#[test]
fn every_error_code_and_message_is_stated() {
    let failures = golden_failures();
    assert!(failures.len() > 100, "only {} failures", failures.len());
    assert_none(&code_faults(&failures));
    let failure = |code: &str, message: &str| {
        let [file, code, message] = ["a.json", code, message].map(str::to_owned);
        Failure {
            file,
            code,
            message,
        }
    };
    let planted = [
        failure("TOO_LARGE", "Overflow: grandTotal is too large"),
        failure("OVERFLOW", "grandTotal is too large"),
        failure("OVERFLOW", "Overflow: grandTotal is too large"),
        failure("PRICE_LOOKUP_FAILED", "what the host threw"),
    ];
    let expected = [
        "a.json: `TOO_LARGE` is not in src/code.rs.",
        "a.json: src/code.rs has no message of `OVERFLOW` like \"grandTotal is too large\".",
    ];
    assert_eq!(code_faults(&planted), expected);
}

/// Each check finds its faults, and says what and where.
#[test]
fn a_fault_of_the_documents_is_found() {
    let section = |id: usize| format!("\n### D{id}\n");
    let ids = ids_in_code();
    let in_code = ids_in(&CODE);
    let faults = |documents: &Documents| {
        let mut faults = unknown_ids(documents, &ids);
        faults.extend(documents.section_faults());
        faults.extend(documents.test_faults());
        faults.extend(documents.code_less(&in_code));
        faults.extend(documents.link_faults());
        faults.extend(documents.key_faults());
        faults
    };
    for (document, part, broken, expected) in [
        (DECISIONS, &*section(15), "\n", "D15 has no section"),
        (
            DECISIONS,
            &*section(15),
            &*section(14),
            "D14 has 2 sections",
        ),
        (
            DECISIONS,
            &*section(LEAST_SECTIONS),
            &*section(LEAST_SECTIONS + 2),
            &*format!("{} has none", LEAST_SECTIONS + 1),
        ),
        (
            DECISIONS,
            "`tests/golden/d11-product-limit*.json`",
            "`tests/golden/d11-product-limit*.txt`",
            "D45 names the test `tests/golden/d11-product-limit*.txt`, but no such file exists",
        ),
        (
            DECISIONS,
            "`tests/golden/d25-order-date-*.json`",
            "`tests/golden/d25-*.json`",
            "D6 names the test `tests/golden/d25-*.json`, but `tests/golden/d25-coupon-request.json` does not name D6",
        ),
        (
            DECISIONS,
            "`tests/node/work.test.js`",
            "`tests/basket.rs`",
            "D9 names the test `tests/basket.rs`, but `tests/basket.rs` does not name D9",
        ),
        (
            DECISIONS,
            "\nTests: `tests/package/options.test.js`\n",
            "",
            "D47 has no test",
        ),
        (
            DECISIONS,
            "Why: The three are the same mistake.\n",
            "",
            "D12 has no line \"Why\"",
        ),
        (
            DECISIONS,
            "Every row of the response carries `branchId` too.\n",
            "",
            "D4 does not say what holds",
        ),
        (
            DECISIONS,
            &*section(LEAST_SECTIONS),
            &*section(LEAST_SECTIONS + 2),
            &*format!("D{} is named in no code", LEAST_SECTIONS + 2),
        ),
        (
            DECISIONS,
            "](tests/golden/README.md)",
            "](tests/golden/README.txt)",
            "the link `tests/golden/README.txt` leads to no file",
        ),
        (
            SPECIFICATION,
            "](DECISIONS.md#d15)",
            "](DECISIONS.md#d150)",
            "the link `DECISIONS.md#d150` leads to no heading",
        ),
        (
            SPECIFICATION,
            "`booking_hour`",
            "`bookingHour`",
            "the key `booking_hour` is not in the document",
        ),
        (
            SPECIFICATION,
            "| `branchId`, `basketName`, ",
            "| `basketName`, `branchId`, ",
            "the table lists `basketName` where the response has `branchId`",
        ),
    ] {
        let mut documents = Documents::read();
        let text = documents.text_mut(document);
        assert!(
            text.contains(part),
            "this test breaks {part:?}, which {document} no longer has: break another part"
        );
        *text = text.replace(part, broken);
        let found = faults(&documents);
        assert!(
            found
                .iter()
                .any(|fault| fault.starts_with(document) && fault.contains(expected)),
            "{part:?} as {broken:?}: expected {expected:?}, found {found:#?}"
        );
    }

    let unknown = format!("D{}", LEAST_SECTIONS + 1);
    let ids = BTreeMap::from([(unknown.clone(), "src/lib.rs, line 1".to_owned())]);
    let found = unknown_ids(&Documents::read(), &ids);
    let expected =
        format!("src/lib.rs, line 1 names {unknown}, which has no section in {DECISIONS}.");
    assert_eq!(found, [expected]);
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// The documents, by their names.
struct Documents(BTreeMap<&'static str, String>);

/// A decision: `### D15` and what follows up to the next heading.
struct Section<'a> {
    id: &'a str,
    line: usize,
    text: Vec<&'a str>,
}

impl Documents {
    fn read() -> Self {
        let read = |name| (name, read(name).expect("the document is UTF-8"));
        let names = [DECISIONS, SPECIFICATION].into_iter().chain(LINKED);
        Self(names.map(read).collect())
    }

    fn text(&self, name: &str) -> &str {
        &self.0[name]
    }

    fn text_mut(&mut self, name: &str) -> &mut String {
        self.0.get_mut(name).expect("it is one of them")
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let mut sections = Vec::<Section<'_>>::new();
        let mut is_in_section = false;
        for (line, text) in (1..).zip(self.text(DECISIONS).lines()) {
            if text.starts_with('#') {
                let id = text
                    .strip_prefix("### ")
                    .filter(|id| decision(id).is_some());
                is_in_section = id.is_some();
                let text = Vec::new();
                sections.extend(id.map(|id| Section { id, line, text }));
            } else if is_in_section && let Some(section) = sections.last_mut() {
                section.text.push(text);
            }
        }
        sections
    }

    fn section_faults(&self) -> Vec<String> {
        let mut counts = BTreeMap::<usize, usize>::new();
        for section in self.sections() {
            *counts.entry(decision(section.id).unwrap_or(0)).or_default() += 1;
        }
        let mut faults = Vec::new();
        for number in (1..=LEAST_SECTIONS).filter(|number| !counts.contains_key(number)) {
            let remedy = format!("Add the heading `### D{number}`");
            faults.push(format!("{DECISIONS}: D{number} has no section. {remedy}."));
        }
        for (number, count) in &counts {
            if *count > 1 {
                let fault = format!("D{number} has {count} sections. Keep one of them");
                faults.push(format!("{DECISIONS}: {fault}."));
            }
            let before = number.saturating_sub(1);
            if *number > LEAST_SECTIONS && !counts.contains_key(&before) {
                let fault = format!("D{number} has a section, but D{before} has none");
                faults.push(format!("{DECISIONS}: {fault}."));
            }
        }
        for section in self.sections() {
            if section.decision().is_none() {
                faults.push(section.fault("does not say what holds".to_owned()));
            }
            if section.field("Why").is_none() {
                faults.push(section.fault("has no line \"Why\"".to_owned()));
            }
        }
        faults
    }

    fn test_faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for section in self.sections() {
            let tests = code_spans(section.field("Tests").unwrap_or_default());
            if tests.is_empty() && matches(&section.golden()).is_empty() {
                faults.push(section.fault("has no test".to_owned()));
            }
            for pattern in tests {
                let files = matches(pattern);
                if files.is_empty() {
                    let fault = "but no such file exists";
                    faults.push(section.fault(format!("names the test `{pattern}`, {fault}")));
                }
                for file in files.iter().filter(|file| !names(file, section.id)) {
                    let fault = format!("but `{file}` does not name {}", section.id);
                    faults.push(section.fault(format!("names the test `{pattern}`, {fault}")));
                }
            }
        }
        faults
    }

    /// Decisions that no file names in which a rule can stand.
    fn code_less(&self, ids: &BTreeMap<String, String>) -> Vec<String> {
        let sections = self.sections().into_iter();
        sections
            .filter(|section| !ids.contains_key(section.id))
            .map(|section| section.fault(format!("is named in no code of {}", CODE.join(", "))))
            .collect()
    }

    fn link_faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, text) in &self.0 {
            for (line, target) in links(text) {
                let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                let file = if file.is_empty() { name } else { file };
                let leads = if !root().join(file).exists() {
                    "file"
                } else if !anchor.is_empty() && !self.has_heading(file, anchor) {
                    "heading"
                } else {
                    continue;
                };
                let fault = format!("the link `{target}` leads to no {leads}");
                faults.push(format!("{name}, line {line}: {fault}."));
            }
        }
        faults
    }

    fn has_heading(&self, file: &str, anchor: &str) -> bool {
        let other = || read(file).unwrap_or_default();
        let text = self.0.get(file).cloned().unwrap_or_else(other);
        without_code(&text)
            .filter(|(_, line)| line.starts_with('#'))
            .any(|(_, line)| slug(line) == anchor)
    }

    fn key_faults(&self) -> Vec<String> {
        let text = self.text(SPECIFICATION);
        let responses: Vec<_> = CASES.into_iter().flat_map(response_keys).collect();
        let response = responses.iter().map(|(_, key)| key.clone());
        let request = Order::known_keys();
        let request = request.split([',', '\n']).map(str::to_owned);
        let keys: BTreeSet<String> = request.chain(response).collect();
        let missing = keys
            .iter()
            .filter(|key| !text.contains(&format!("`{key}`")));
        let mut faults: Vec<_> = missing
            .map(|key| format!("{SPECIFICATION}: the key `{key}` is not in the document."))
            .collect();

        let top_level = response_keys(CASES[0]).into_iter();
        let top_level = top_level.filter_map(|(depth, key)| (depth == 1).then_some(key));
        let listed = first_column(text, "## What comes out");
        for (index, key) in top_level.enumerate() {
            let here = listed.get(index).copied().unwrap_or("nothing");
            if here != key {
                let fault = format!("the table lists `{here}` where the response has `{key}`");
                faults.push(format!("{SPECIFICATION}, \"What comes out\": {fault}."));
                break;
            }
        }
        faults
    }
}

/// An order that fails, in a golden case.
struct Failure {
    file: String,
    code: String,
    message: String,
}

fn golden_failures() -> Vec<Failure> {
    let failure = |file: String| {
        let text = read(&file)?;
        let case: Value = serde_json::from_str(&text).expect("a case is JSON");
        let part = |name: &str| Some(case["expect"][name].as_str()?.to_owned());
        let (code, message) = (part("code")?, part("error")?);
        Some(Failure {
            file,
            code,
            message,
        })
    };
    let files = matches("tests/golden/*.json");
    files.into_iter().filter_map(failure).collect()
}

/// What src/code.rs does not have.
fn code_faults(failures: &[Failure]) -> Vec<String> {
    let mut faults = Vec::new();
    for Failure {
        file,
        code,
        message,
    } in failures
    {
        let Some(stated) = CODES.iter().find(|stated| stated.word == code) else {
            faults.push(format!("{file}: `{code}` is not in src/code.rs."));
            continue;
        };
        // A host may throw any message.
        let mut texts = stated.messages.iter().map(|message| message.text);
        let at_root = |text: &str| fits(&text.replace("<path>: ", ""), message);
        if !texts.any(|text| text.is_empty() || fits(text, message) || at_root(text)) {
            let fault = format!("src/code.rs has no message of `{code}` like {message:?}");
            faults.push(format!("{file}: {fault}."));
        }
    }
    faults
}

/// Whether a message is the text with something in place of each `<…>`.
fn fits(text: &str, message: &str) -> bool {
    let (first, others) = text.split_once('<').unwrap_or((text, ""));
    let parts = others.split('<');
    let parts = parts.filter_map(|part| Some(part.split_once('>')?.1));
    let rest = parts.fold(message.strip_prefix(first), |rest, part| match part {
        "" => rest.map(|_| ""), // what differs is all the rest
        part => Some(rest?.split_once(part)?.1),
    });
    rest == Some("")
}

impl<'a> Section<'a> {
    /// The line `Tests: …`, without its name.
    fn field(&self, name: &str) -> Option<&'a str> {
        let start = format!("{name}: ");
        self.text.iter().find_map(|line| line.strip_prefix(&*start))
    }

    /// The first line of text, which says what holds.
    fn decision(&self) -> Option<&'a str> {
        let first = self.text.iter().find(|line| !line.is_empty())?;
        let is_field = first.starts_with("Why: ") || first.starts_with("Tests: ");
        (!is_field).then_some(first)
    }

    /// Its cases of the golden corpus.
    fn golden(&self) -> String {
        let number = self.id.trim_start_matches('D');
        format!("tests/golden/d{number:0>2}-*.json")
    }

    fn fault(&self, fault: String) -> String {
        format!("{DECISIONS}, line {}: {} {fault}.", self.line, self.id)
    }
}

/// Ids that stand in the code and have no section.
fn unknown_ids(documents: &Documents, ids: &BTreeMap<String, String>) -> Vec<String> {
    let sections = documents.sections();
    let unknown = ids
        .iter()
        .filter(|(id, _)| sections.iter().all(|section| section.id != *id));
    unknown
        .map(|(id, place)| format!("{place} names {id}, which has no section in {DECISIONS}."))
        .collect()
}

/// Every id that the code names, and where it stands first.
fn ids_in_code() -> BTreeMap<String, String> {
    ids_in(&PLACES)
}

fn ids_in(places: &[&str]) -> BTreeMap<String, String> {
    let mut ids = BTreeMap::new();
    for file in places.iter().flat_map(|place| files(place)) {
        let Some(text) = read(&file) else {
            continue;
        };
        for (line, text) in (1..).zip(text.lines()) {
            let tests = text.trim_start().strip_prefix("fn d").into_iter();
            let tests = tests.filter_map(|name| Some(format!("D{}", name.split_once('_')?.0)));
            let ids_here = words(text).map(str::to_owned).chain(tests);
            for id in ids_here.filter(|word| decision(word).is_some()) {
                ids.entry(id)
                    .or_insert_with(|| format!("{file}, line {line}"));
            }
        }
    }
    assert!(ids.len() >= 40, "only {} ids were found", ids.len());
    ids
}

/// The number of a decision's id.
fn decision(id: &str) -> Option<usize> {
    let digits = id.strip_prefix('D')?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// Whether a test names a decision: a golden case by its file's name or its
/// `ids`, another file by the word, or by a name such as `d15_rows`.
fn names(file: &str, id: &str) -> bool {
    let text = read(file).unwrap_or_default();
    let id = id.to_ascii_lowercase();
    if let Some(case) = file.strip_prefix("tests/golden/") {
        let number = id.trim_start_matches('d');
        let ids = text.split_once("\"ids\"").map_or("", |(_, ids)| ids);
        let ids = ids.split_once(']').map_or("", |(ids, _)| ids);
        return case.starts_with(&format!("d{number:0>2}-"))
            || words(ids).any(|word| word.eq_ignore_ascii_case(&id));
    }
    words(&text).any(|word| {
        let word = word.to_ascii_lowercase();
        word == id || word.starts_with(&format!("{id}_"))
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.split(move |character| !is_part(character))
        .filter(|word| !word.is_empty())
}

/// What stands between backticks.
fn code_spans(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The lines that stand in no block of code, with their numbers.
fn without_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The targets of the relative links, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    for (line, text) in without_code(text) {
        let targets = text.split("](").skip(1);
        let targets = targets.filter_map(|rest| Some(rest.split_once(')')?.0));
        let relative = targets.filter(|target| !target.contains("://"));
        links.extend(relative.map(|target| (line, target)));
    }
    links
}

/// The anchor that GitHub gives a heading.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = |character: &char| character.is_alphanumeric() || "-_ ".contains(*character);
    text.chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}

/// The keys of the first table below a heading; a row may have several.
fn first_column<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let section = text.lines().skip_while(|line| *line != heading).skip(1);
    let section = section.take_while(|line| !line.starts_with('#'));
    let rows = section.filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| Some(row.split_once(" |")?.0));
    cells.flat_map(code_spans).collect()
}

/// The keys of a golden case's response in their order, each with its depth.
fn response_keys(case: &str) -> Vec<(usize, String)> {
    let text = read(&format!("tests/golden/{case}.json")).expect("the case is there");
    let (_, response) = text.split_once("\"response\":").expect("it has a response");
    let mut keys = Vec::new();
    let mut depth = 0;
    let mut rest = response;
    while let Some(place) = rest.find(['{', '}', '[', ']', '"']) {
        let (token, after) = rest[place..].split_at(1);
        rest = after;
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" if depth == 1 => break,
            "}" | "]" => depth -= 1,
            _ => {
                let end = end_of_string(rest);
                let (string, after) = rest.split_at(end);
                rest = &after[1..];
                if rest.trim_start().starts_with(':') {
                    keys.push((depth, string.to_owned()));
                }
            }
        }
    }
    assert!(keys.len() >= 35, "{case} has only {} keys", keys.len());
    keys
}

/// Where the quote stands that ends a string.
fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.expect("a string ends")
}

fn root() -> &'static Path {
    Path::new(".") // Cargo runs tests in the folder of the package.
}

/// A file's text; `None`: it is no text.
fn read(file: &str) -> Option<String> {
    let bytes = fs::read(root().join(file));
    let bytes = bytes.unwrap_or_else(|fault| panic!("{file} cannot be read: {fault}"));
    String::from_utf8(bytes).ok()
}

/// The files that a path names; its last part may have a `*`.
fn matches(pattern: &str) -> Vec<String> {
    let Some((start, end)) = pattern.split_once('*') else {
        let is_file = root().join(pattern).is_file();
        return is_file.then(|| pattern.to_owned()).into_iter().collect();
    };
    let folder = start.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_match = |file: &String| {
        file.len() >= start.len() + end.len() && file.starts_with(start) && file.ends_with(end)
    };
    entries(folder).into_iter().filter(is_match).collect()
}

/// The files that people wrote, under a path.
fn files(path: &str) -> Vec<String> {
    // Built or downloaded, or bytes that a fuzzer made.
    const NOT_WRITTEN: [&str; 4] = ["node_modules", "target", "corpus", "package-lock.json"];
    let name = path.rsplit('/').next().unwrap_or(path);
    if NOT_WRITTEN.contains(&name) || name.starts_with('.') {
        return Vec::new();
    }
    if root().join(path).is_dir() {
        return entries(path)
            .iter()
            .flat_map(|entry| files(entry))
            .collect();
    }
    vec![path.to_owned()]
}

/// What stands in a folder, in order.
fn entries(folder: &str) -> Vec<String> {
    let path: PathBuf = root().join(folder);
    let Ok(entries) = fs::read_dir(path) else {
        return Vec::new();
    };
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let entries = entries.filter_map(Result::ok).map(name);
    let mut paths: Vec<_> = entries.map(|name| format!("{folder}/{name}")).collect();
    paths.sort();
    paths
}
