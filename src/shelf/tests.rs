use super::{Found, Shelf};

const NONE: &str = "--------------------------------";

fn name(letter: char) -> String {
    letter.to_string().repeat(32)
}

fn filtered(id: &str, names: &str, filter: &str) -> String {
    format!("{id}\n{names}\n{filter}\n")
}

fn layer(id: &str, names: &str) -> String {
    filtered(id, names, "")
}

/// What a branch says of a product: its price, `none`, `unread` or its fault.
fn price(shelf: &Shelf, version: &str, branch: &str, code: i64) -> String {
    let Some(layers) = shelf.branch(version, branch) else {
        return "unknown".to_owned();
    };
    match shelf.find(layers, code) {
        Found::Unread => "unread".to_owned(),
        Found::Read(Ok(None)) => "none".to_owned(),
        Found::Read(Ok(Some(record))) => {
            let mut out = Vec::new();
            record.price.write(&mut out);
            String::from_utf8(out).expect("ASCII")
        }
        Found::Read(Err(fault)) => fault.to_string(),
    }
}

#[test]
fn a_record_of_any_text_is_found_as_it_stands() {
    let mut shelf = Shelf::default();
    let records = [
        (-7, r#"{"price":12.50}"#, "12.5"),
        (0, r#"{"price":0}"#, "0"),
        (1, "-", "none"),
        (
            2,
            r#"{"price":0.05,"originalPrice":1,"settlementPrice":2.000,"weight":0.125,"isControlledProduct":true}"#,
            "0.05",
        ),
        (3, r#"{"price":3,"isControlledProduct":false}"#, "3"),
        (4, r#"{"weight":1,"price":4}"#, "4"),
        (5, r#"{"price":5e0}"#, "5"),
        (6, r#"{"price":4294967296}"#, "4294967296"),
        (
            7,
            r#"{"price":7,"settlementPrice":-1}"#,
            "settlementPrice: expected an amount of 0 or more",
        ),
        (8, r#"{"price":8,"remark":"ของฝาก"}"#, "8"),
        (9, r#"{"price":9,"weight":null}"#, "9"),
        (
            10,
            r#"{"price":"10"}"#,
            "price: expected an amount as a JSON number, such as 12.5",
        ),
        (11, "null", "none"),
        (
            9_007_199_254_740_991,
            r#"{"price":1.0000000000000000000000000001}"#,
            "1.0000000000000000000000000001",
        ),
    ];
    let text = records.map(|(code, record, _)| format!("{code} {record}\n"));
    shelf.learn("v", "1000", &layer("l", &name('a')), 10_000);
    shelf.put(&name('a'), &text.concat(), 10_000);
    for (code, record, wanted) in records {
        assert_eq!(price(&shelf, "v", "1000", code), wanted, "{record}");
        let text = shelf.record(&name('a'), code).expect("its text");
        assert_eq!(String::from_utf8(text).expect("text"), record);
    }
    assert_eq!(price(&shelf, "v", "1000", 12), "none");
    assert_eq!(shelf.record(&name('a'), 12), None);
}

#[test]
fn a_newer_layer_hides_what_lies_behind_it() {
    let mut shelf = Shelf::default();
    let (above, behind) = (name('a'), name('b'));
    shelf.learn(
        "v",
        "1000",
        &[layer("new", &above), layer("old", &behind)].concat(),
        10_000,
    );
    shelf.put(
        &behind,
        "1 {\"price\":1}\n2 {\"price\":2}\n3 {\"price\":3}\n",
        10_000,
    );
    assert_eq!(price(&shelf, "v", "1000", 1), "unread");
    shelf.put(&above, "1 {\"price\":10}\n2 -\n", 10_000);
    assert_eq!(
        [1, 2, 3].map(|code| price(&shelf, "v", "1000", code)),
        ["10", "none", "3"]
    );
}

#[test]
fn what_a_layer_cannot_have_is_looked_for_behind_it() {
    let mut shelf = Shelf::default();
    let (own, base) = (name('a'), name('b'));
    // No bit of this filter is set.
    let layers = [
        filtered("filtered", &own, "AAAA"),
        layer("empty", NONE),
        layer("base", &base),
    ];
    shelf.learn("v", "1000", &layers.concat(), 10_000);
    shelf.put(&base, "1 {\"price\":1}\n", 10_000);
    assert_eq!(price(&shelf, "v", "1000", 1), "1");
    let layers = [filtered("full", &own, "____"), layer("base", &base)];
    shelf.learn("w", "1000", &layers.concat(), 10_000);
    assert_eq!(price(&shelf, "w", "1000", 1), "unread");
}

#[test]
fn a_shard_lies_there_once_for_all_layers_that_name_it() {
    let mut shelf = Shelf::default();
    let (first, both) = (name('a'), name('b'));
    shelf.learn("v", "1000", &layer("l", &first), 10_000);
    shelf.put(&first, "1 {\"price\":1}\n", 10_000);
    shelf.put(&both, "2 {\"price\":2}\n", 10_000);
    assert!(!shelf.has(&both), "no layer names it");
    shelf.learn("w", "1000", &layer("m", &first), 10_000);
    shelf.learn("w", "empty", "", 10_000);
    assert_eq!(price(&shelf, "w", "1000", 1), "1");
    assert_eq!(price(&shelf, "w", "empty", 1), "none");
    assert_eq!(price(&shelf, "w", "other", 1), "unknown");
    assert!(shelf.knows("w", "empty") && !shelf.knows("w", "other"));
}

#[test]
fn what_was_used_longest_ago_goes_first() {
    let mut shelf = Shelf::default();
    let names = ['a', 'b', 'c'].map(name);
    let layers = names.each_ref().map(|name| layer(name, name));
    shelf.learn("v", "1000", &layers.concat(), 10_000);
    // Each shard has a product of its own, which only the layers above lack.
    for (name, record) in names.iter().zip(["1 -\n", "2 -\n", "3 {\"price\":3}\n"]) {
        shelf.put(name, record, 10_000);
    }
    let three = shelf.bytes();
    assert_eq!(price(&shelf, "v", "1000", 1), "none");
    let held = |shelf: &Shelf| names.each_ref().map(|name| shelf.has(name));
    shelf.put(&names[2], "3 {\"price\":4}\n", three - 1);
    assert_eq!(held(&shelf), [true, false, true]);
    assert_eq!(price(&shelf, "v", "1000", 1), "none");
    assert_eq!(price(&shelf, "v", "1000", 3), "unread");
    shelf.put(&names[1], "2 -\n", 0);
    assert_eq!(shelf.bytes(), 0);
    assert_eq!(price(&shelf, "v", "1000", 1), "unknown");
}

#[test]
fn a_branch_goes_like_a_shard_and_with_it_what_it_alone_names() {
    let mut shelf = Shelf::default();
    for version in ["1", "2"] {
        let layer = layer(version, &name('a'));
        shelf.learn(version, "1000", &layer, 10_000);
    }
    let two = shelf.bytes();
    assert_eq!(price(&shelf, "1", "1000", 1), "unread");
    shelf.learn("3", "1000", &layer("3", &name('b')), two);
    let known = ["1", "2", "3"].map(|version| shelf.knows(version, "1000"));
    assert_eq!(known, [false, false, true]);
    shelf.put(&name('a'), "1 {\"price\":1}\n", 10_000);
    assert!(!shelf.has(&name('a')), "no layer names it");
    assert!(shelf.bytes() < two);
}

#[test]
fn what_is_no_shard_is_not_put() {
    let mut shelf = Shelf::default();
    shelf.learn("v", "1000", &layer("l", &name('a')), 10_000);
    for text in ["{\"price\":1}\n", "x {\"price\":1}\n", "1\n"] {
        shelf.put(&name('a'), text, 10_000);
        assert!(!shelf.has(&name('a')), "{text}");
    }
}
