//! Replays the golden corpus on the native core: the bytes must be equal.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod scripted;

use order_cost::{Amount, Error, Recorder, Sum, replace_lone_surrogates};
use scripted::{Outcome, cases, price, zones};
use serde_json::Value;

#[test]
fn every_case_of_the_corpus() {
    let cases = cases();
    assert!(cases.len() >= 150, "only {} cases were found", cases.len());
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|(name, case)| check(case).err().map(|why| format!("{name}: {why}")))
        .collect();
    println!("{} golden cases, {} differ", cases.len(), failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The reported steps are those that the case expects, they add up to the grand total without a balancing step, and
/// reporting them does not change the result.
#[test]
fn the_steps_of_every_priced_case_are_expected_and_sum_to_its_grand_total() {
    let (mut priced_cases, mut explained_cases) = (0, 0);
    for (name, case) in cases() {
        let mut recorder = Recorder::new(true);
        let explained = price(&case, &mut recorder);
        let plain = price(&case, &mut ());
        let (Ok(explained), Ok(plain)) = (&explained, &plain) else {
            let message = |outcome: Result<Outcome, Error>| outcome.err().map(|e| e.to_string());
            assert_eq!(message(explained), message(plain), "{name}");
            continue;
        };
        priced_cases += 1;
        assert_eq!(explained.priced.write(), plain.priced.write(), "{name}");
        let grand_total = Some(plain.priced.totals().grand_total);
        assert_eq!(recorder.running_total().total(), grand_total, "{name}");
        let steps = steps(&explained.priced.write_explained(recorder));
        assert_sums(&name, &steps);
        if let Some(Value::Array(expected)) = case["expect"].get("steps") {
            explained_cases += 1;
            let differs = |(step, expected): &(&Value, &Value)| *step != *expected;
            let first = steps.iter().zip(expected).find(differs);
            assert_eq!((first, steps.len()), (None, expected.len()), "{name}");
        }
    }
    assert!(priced_cases >= 80, "only {priced_cases} cases were priced");
    assert!(explained_cases >= 20, "only {explained_cases} have steps");
}

fn steps(response: &[u8]) -> Vec<Value> {
    // The response may repeat a lone surrogate of the order, which serde_json refuses (D10).
    let response = replace_lone_surrogates(response);
    let response: Value = serde_json::from_slice(&response).expect("the steps are JSON");
    response["steps"]
        .as_array()
        .expect("a list of steps")
        .clone()
}

/// Each `runningTotal` is the sum of the amounts so far of the steps that have one.
fn assert_sums(name: &str, steps: &[Value]) {
    let mut sum = Sum::default();
    for step in steps.iter().filter(|step| !step["runningTotal"].is_null()) {
        let amount = step["amount"].to_string();
        sum.add(Amount::from_json(&amount).expect("an amount of the corpus fits"));
        assert_eq!(step["runningTotal"].to_string(), sum.to_string(), "{name}");
    }
}

fn check(case: &Value) -> Result<(), String> {
    let expect = &case["expect"];
    if let Some(message) = expect.get("zonesError") {
        let Err(error) = zones(case) else {
            return Err("the zones were taken".to_owned());
        };
        same("code", error.code(), "VALIDATION_ERROR")?;
        let path = error.path().ok_or("a VALIDATION_ERROR has a path")?;
        let place = if path.is_empty() { path } else { path + ": " };
        let message = message.as_str().unwrap_or_default();
        if !message.starts_with(&format!("Invalid deliveryZones: {place}expected "))
            && !message.ends_with(": required")
        {
            return Err(format!("{place} is not where {message} says"));
        }
        return same("zones", &error.to_string(), message);
    }
    match price(case, &mut ()) {
        Ok(outcome) => {
            let priced = &outcome.priced;
            let response = String::from_utf8(priced.write()).expect("a response is UTF-8");
            same("response", &response, &expected_text(expect)?)?;
            if let Some(response) = expect.get("response") {
                let mut without_rows = response.clone();
                without_rows["productList"] = Value::Null;
                let actual = String::from_utf8(priced.write_without_rows()).expect("UTF-8");
                same("without rows", &actual, &without_rows.to_string())?;
            }
            same(
                "couponRequest",
                &as_doubles(outcome.coupon_request.as_ref()),
                &as_doubles(expect.get("couponRequest")),
            )
        }
        Err(error) => {
            let message = expect["error"].as_str().unwrap_or("no error");
            same("message", &error.to_string(), message)?;
            same(
                "code",
                error.code(),
                expect["code"].as_str().unwrap_or_default(),
            )?;
            same(
                "path",
                &error.path().unwrap_or_default(),
                expect["path"].as_str().unwrap_or_default(),
            )?;
            same(
                "retryable",
                &error.retryable().to_string(),
                &expect["retryable"].to_string(),
            )
        }
    }
}

fn expected_text(expect: &Value) -> Result<String, String> {
    match (expect.get("response"), expect.get("responseText")) {
        (Some(response), _) => Ok(response.to_string()),
        (_, Some(Value::String(text))) => Ok(text.clone()),
        _ => Err(format!("priced, but {expect} was expected")),
    }
}

/// The JSON text of a value that crosses as an object: its numbers become doubles.
fn as_doubles(value: Option<&Value>) -> String {
    match value {
        None => "none".to_owned(),
        Some(Value::Number(number)) => {
            let double: f64 = number.as_str().parse().expect("it is a number");
            format!("{:?}", double.clamp(f64::MIN, f64::MAX))
        }
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| as_doubles(Some(item)) + ",")
            .collect(),
        Some(Value::Object(members)) => members
            .iter()
            .map(|(key, value)| format!("{key}: {}, ", as_doubles(Some(value))))
            .collect(),
        Some(other) => other.to_string(),
    }
}

fn same(what: &str, actual: &str, expected: &str) -> Result<(), String> {
    if actual == expected {
        Ok(())
    } else {
        Err(format!(
            "{what}\n  actual   {actual}\n  expected {expected}"
        ))
    }
}
