//! Prints as JSON what the sources of order-cost say of its objects, error codes
//! and options: `{ objects, enums, modes, hostFunctions, codes, lookUpMessages, options, policies, limits }`.

use order_cost::{
    CODES, Code, Described, LOOK_UP_MESSAGES, Line, Lookup, Message, Mode, Object, Value, Word,
    enums, limits, objects, options, policies,
};
use serde_json::{Value as Json, json};

fn main() {
    let codes = CODES.iter().map(
        |Code {
             word,
             messages,
             fix,
         }| { json!({ "word": word, "messages": texts(messages), "fix": fix }) },
    );
    let reference = json!({
        "objects": objects().iter().map(object).collect::<serde_json::Map<_, _>>(),
        "enums": enums().iter().map(|(name, words)| (name.to_string(), meanings(words)))
            .collect::<serde_json::Map<_, _>>(),
        "modes": Mode::ALL.iter().map(mode).collect::<Json>(),
        "hostFunctions": Lookup::OF_HOST.iter().map(function).collect::<Json>(),
        "codes": codes.collect::<Json>(),
        "lookUpMessages": texts(LOOK_UP_MESSAGES),
        "options": described(&options()),
        "policies": described(&policies()),
        "limits": described(&limits()),
    });
    println!("{reference:#}");
}

fn mode(mode: &Mode) -> Json {
    let terms = mode.terms();
    json!({
        "word": mode.word(),
        "source": terms.source.word(),
        "decision": terms.decision,
        "surcharge": terms.surcharge,
    })
}

fn function(lookup: &Lookup) -> Json {
    let row = lookup.row();
    json!({
        "name": row.function, "part": row.part, "id": row.id, "isList": lookup.is_list(),
        "failed": row.failed, "notFound": row.not_found,
    })
}

/// The fields that are read, those that the response adds, and its sequence.
fn object(
    Object {
        name,
        read,
        added,
        response,
    }: &Object,
) -> (String, Json) {
    let read: Json = read.iter().map(line).collect();
    let added: Json = added.iter().map(line).collect();
    (
        name.to_string(),
        json!({ "read": read, "added": added, "response": response }),
    )
}

/// A field that is read has `required`, or else its `default`.
fn line(line: &Line) -> Json {
    let Line {
        key,
        kind,
        of,
        default,
        class,
        means,
        ..
    } = *line;
    let means = means.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut json = json!({ "key": key, "kind": kind, "class": class, "means": means });
    if !of.is_empty() {
        json["of"] = of.into();
    }
    match default {
        "" => {}
        "required" => json["required"] = true.into(),
        word if kind == "word" => json["default"] = word.into(),
        default => json["default"] = serde_json::from_str(default).expect("a default is JSON"),
    }
    json
}

fn meanings(words: &[(&str, &str)]) -> Json {
    let json = |(word, means): &_| json!({ "word": word, "means": means });
    words.iter().map(json).collect()
}

fn texts(messages: &[Message]) -> Json {
    let json = |Message { text, when }: &_| json!({ "text": text, "when": when });
    messages.iter().map(json).collect()
}

/// Each with `values`, the default first, or with `expected` and `default`.
fn described(list: &[Described]) -> Json {
    let json = |Described { name, means, value }: &_| match value {
        Value::Words(words) => {
            json!({ "name": name, "means": means, "values": meanings(words) })
        }
        Value::Number(expected, default) => {
            json!({ "name": name, "means": means, "expected": expected, "default": default })
        }
    };
    list.iter().map(json).collect()
}
