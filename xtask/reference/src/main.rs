//! Prints as JSON what the sources of order-cost say of its error codes and
//! options: `{ codes, lookUpMessages, options, policies, limits }`.

use order_cost::{
    CODES, Code, Described, LOOK_UP_MESSAGES, Message, Value, limits, options, policies,
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
        "codes": codes.collect::<Json>(),
        "lookUpMessages": texts(LOOK_UP_MESSAGES),
        "options": described(&options()),
        "policies": described(&policies()),
        "limits": described(&limits()),
    });
    println!("{reference:#}");
}

fn texts(messages: &[Message]) -> Json {
    let json = |Message { text, when }: &_| json!({ "text": text, "when": when });
    messages.iter().map(json).collect()
}

/// Each with `values`, the default first, or with `expected` and `default`.
fn described(list: &[Described]) -> Json {
    let json = |Described { name, means, value }: &_| match value {
        Value::Words(words) => {
            let value = |(word, means): &_| json!({ "word": word, "means": means });
            let values: Json = words.iter().map(value).collect();
            json!({ "name": name, "means": means, "values": values })
        }
        Value::Number(expected, default) => {
            json!({ "name": name, "means": means, "expected": expected, "default": default })
        }
    };
    list.iter().map(json).collect()
}
