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
    let mut shelf = Shelf::new(100_000);
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
        (12_345, "", "expected JSON"),
        (
            9_007_199_254_740_991,
            r#"{"price":1.0000000000000000000000000001}"#,
            "1.0000000000000000000000000001",
        ),
    ];
    let text = records.map(|(code, record, _)| format!("{code} {record}\n"));
    shelf.learn("v", "1000", &layer("l", &name('a')));
    shelf.put(&name('a'), &text.concat());
    for (code, record, wanted) in records {
        assert_eq!(price(&shelf, "v", "1000", code), wanted, "{record}");
        let text = shelf.record(&name('a'), code).expect("its text");
        assert_eq!(String::from_utf8(text).expect("text"), record);
    }
    assert_eq!(price(&shelf, "v", "1000", 12), "none");
    for (shard, code) in [('a', 12), ('b', 12), ('b', 1)] {
        assert_eq!(shelf.record(&name(shard), code), None);
    }
}

#[test]
fn a_plain_record_takes_an_entry_alone() {
    const ENTRIES: usize = 2 * 32;
    for (record, is_plain) in [
        (r#"{"price":0}"#, true),
        (
            r#"{"price":4294967295,"weight":0.000000000000000001}"#,
            true,
        ),
        (r#"{"price":12.50,"isControlledProduct":true}"#, true),
        (r#"{"price":4294967296}"#, false),
        (r#"{"price":0.0000000000000000001}"#, false),
        (r#"{"price":1e2}"#, false),
        (r#"{"price":1,"price":1}"#, false),
        ("null", false),
    ] {
        let mut shelf = Shelf::new(100_000);
        shelf.learn("v", "1000", &layer("l", &name('a')));
        shelf.put(&name('a'), &format!("1 {record}\n"));
        let beside = if is_plain { 0 } else { record.len() };
        assert_eq!(shelf.held, ENTRIES + beside, "{record}");
        assert_eq!(
            shelf.record(&name('a'), 1).as_deref(),
            Some(record.as_bytes())
        );
    }
}

#[test]
fn a_newer_layer_hides_what_lies_behind_it() {
    let mut shelf = Shelf::new(100_000);
    let (above, behind) = (name('a'), name('b'));
    shelf.learn(
        "v",
        "1000",
        &[layer("new", &above), layer("old", &behind)].concat(),
    );
    shelf.put(
        &behind,
        "1 {\"price\":1}\n2 {\"price\":2}\n3 {\"price\":3}\n",
    );
    assert_eq!(price(&shelf, "v", "1000", 1), "unread");
    shelf.put(&above, "1 {\"price\":10}\n2 -\n");
    assert_eq!(
        [1, 2, 3].map(|code| price(&shelf, "v", "1000", code)),
        ["10", "none", "3"]
    );
}

#[test]
fn what_a_layer_cannot_have_is_looked_for_behind_it() {
    let mut shelf = Shelf::new(100_000);
    let (own, base) = (name('a'), name('b'));
    // No bit of this filter is set.
    let layers = [
        filtered("filtered", &own, "AAAA"),
        layer("empty", NONE),
        layer("base", &base),
    ];
    shelf.learn("v", "1000", &layers.concat());
    shelf.put(&base, "1 {\"price\":1}\n");
    assert_eq!(price(&shelf, "v", "1000", 1), "1");
    let layers = [filtered("full", &own, "____"), layer("base", &base)];
    shelf.learn("w", "1000", &layers.concat());
    assert_eq!(price(&shelf, "w", "1000", 1), "unread");
}

#[test]
fn a_shard_lies_there_once_for_all_layers_that_name_it() {
    let mut shelf = Shelf::new(100_000);
    let (first, both) = (name('a'), name('b'));
    shelf.learn("v", "1000", &layer("l", &first));
    shelf.put(&first, "1 {\"price\":1}\n");
    shelf.put(&both, "2 {\"price\":2}\n");
    assert!(!shelf.has(&both), "no layer names it");
    shelf.learn("w", "1000", &layer("m", &first));
    shelf.learn("w", "empty", "");
    assert_eq!(price(&shelf, "w", "1000", 1), "1");
    assert_eq!(price(&shelf, "w", "empty", 1), "none");
    assert_eq!(price(&shelf, "w", "other", 1), "unknown");
    assert!(shelf.knows("w", "empty") && !shelf.knows("w", "other"));
}

#[test]
fn shards_that_were_used_longest_ago_make_room() {
    let mut shelf = Shelf::new(10_000);
    let names = ['a', 'b', 'c'].map(name);
    shelf.most_held = 150; // room for two shards of two entries
    let layers = names.each_ref().map(|name| layer(name, name));
    shelf.learn("v", "1000", &layers.concat());
    shelf.put(&names[0], "1 -\n");
    shelf.put(&names[1], "2 -\n");
    assert_eq!(price(&shelf, "v", "1000", 1), "none");
    shelf.put(&names[2], "3 {\"price\":3}\n");
    let held = |shelf: &Shelf| names.each_ref().map(|name| shelf.has(name));
    assert_eq!(held(&shelf), [true, false, true]);
    assert_eq!(price(&shelf, "v", "1000", 1), "none");
    assert_eq!(price(&shelf, "v", "1000", 3), "unread");
    let large = "4 -\n5 -\n6 -\n7 -\n8 -\n";
    shelf.put(&names[1], large);
    assert_eq!(held(&shelf), [true, false, true], "it would not fit");
    assert!(shelf.held <= 150);
}

#[test]
fn branches_that_were_used_longest_ago_make_room_and_take_what_they_alone_name() {
    let mut shelf = Shelf::new(4_000);
    for version in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let own = name('a').replace("aa", &format!("a{version}"));
        shelf.learn(version, "1000", &layer(version, &own));
        shelf.put(&own, "1 -\n");
        assert_eq!(price(&shelf, version, "1000", 1), "none");
        assert!(shelf.bytes() <= 4_000, "{version}");
    }
    let known = ["1", "8"].map(|version| shelf.knows(version, "1000"));
    assert_eq!(known, [false, true]);
    assert!(!shelf.has(&name('a').replace("aa", "a1")));
    for count in [29, 50] {
        let many = Vec::from_iter((10..10 + count).map(|number| format!("{number:032}"))).concat();
        shelf.learn("9", "1000", &layer("9", &many));
        assert!(!shelf.knows("9", "1000"), "it would not fit");
        assert!(shelf.bytes() <= 4_000);
    }
}

#[test]
fn codes_of_one_hash_are_found_quickly() {
    let mut shelf = Shelf::new(100_000_000);
    shelf.learn("v", "1000", &layer("l", &name('a')));
    let codes = (0..50_000_i64).map(|high| high << 32 | (high ^ 7));
    let text = Vec::from_iter(codes.map(|code| format!("{code} {{\"price\":1}}\n"))).concat();
    shelf.put(&name('a'), &text);
    assert_eq!(price(&shelf, "v", "1000", 3 << 32 | (3 ^ 7)), "1");
}

#[test]
fn what_is_no_shard_is_not_put() {
    let mut shelf = Shelf::new(100_000);
    shelf.learn("v", "1000", &layer("l", &name('a')));
    for text in ["{\"price\":1}\n", "x {\"price\":1}\n", "1\n"] {
        shelf.put(&name('a'), text);
        assert!(!shelf.has(&name('a')), "{text}");
    }
}
