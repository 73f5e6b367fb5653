//! Prints as JSON what the sources of order-cost say of its error codes and
//! options: `{ codes, lookUpMessages, options, policies, limits }`.

use order_cost::{
    CODES, Code, Described, LOOK_UP_MESSAGES, Message, Value, limits, options, policies,
};
use serde_json::json;

fn main() {
    let reference = json!({
        "codes": list(CODES, code),
        "lookUpMessages": list(LOOK_UP_MESSAGES, message),
        "options": list(&options(), option),
        "policies": list(&policies(), option),
        "limits": list(&limits(), option),
    });
    println!("{reference:#}");
}

fn list<T>(entries: &[T], json: impl Fn(&T) -> serde_json::Value) -> serde_json::Value {
    entries.iter().map(json).collect()
}

fn code(
    Code {
        word,
        messages,
        fix,
    }: &Code,
) -> serde_json::Value {
    json!({ "word": word, "messages": list(messages, message), "fix": fix })
}

fn message(Message { text, when }: &Message) -> serde_json::Value {
    json!({ "text": text, "when": when })
}

/// With `values`, the default first, or with `expected` and `default`.
fn option(Described { name, means, value }: &Described) -> serde_json::Value {
    match value {
        Value::Words(words) => {
            let values = list(
                words,
                |(word, means)| json!({ "word": word, "means": means }),
            );
            json!({ "name": name, "means": means, "values": values })
        }
        Value::Number(expected, default) => {
            json!({ "name": name, "means": means, "expected": expected, "default": default })
        }
    }
}
