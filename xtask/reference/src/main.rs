//! Prints as JSON what the sources of order-cost say of its error codes and
//! options: `{ codes, lookUpMessages, options, policies, limits }`.

use order_cost::{CODES, Code, Described, LOOK_UP_MESSAGES, Value, limits, options, policies};
use serde_json::json;

fn main() {
    let described = |options: Vec<Described>| options.into_iter().map(option).collect::<Vec<_>>();
    let reference = json!({
        "codes": CODES.iter().map(code).collect::<Vec<_>>(),
        "lookUpMessages": LOOK_UP_MESSAGES.iter().map(|(text, when)| json!({ "text": text, "when": when })).collect::<Vec<_>>(),
        "options": described(options()),
        "policies": described(policies()),
        "limits": described(limits()),
    });
    println!("{reference:#}");
}

fn code(code: &Code) -> serde_json::Value {
    let messages = code.messages.iter();
    let messages = messages.map(|message| json!({ "text": message.text, "when": message.when }));
    json!({ "word": code.word, "messages": messages.collect::<Vec<_>>(), "fix": code.fix })
}

/// With `values`, the default first, or with `expected` and `default`.
fn option(option: Described) -> serde_json::Value {
    let Described { name, means, value } = option;
    match value {
        Value::Words(words) => {
            let words = words.iter();
            let words = words.map(|(word, means)| json!({ "word": word, "means": means }));
            json!({ "name": name, "means": means, "values": words.collect::<Vec<_>>() })
        }
        Value::Number(expected, default) => {
            json!({ "name": name, "means": means, "expected": expected, "default": default })
        }
    }
}
