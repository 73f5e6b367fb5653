//! An order and the host's facts through the whole pipeline. The response equals the model's byte for byte, and pricing
//! the response again as a request changes nothing.

use arbitrary::Unstructured;
use order_cost::Limits;

use super::json::Node;
use super::{draw, host, model, schema};

/// Makes an order, a policy and answers from any bytes.
pub fn run(data: &[u8]) {
    let bytes = &mut Unstructured::new(data);
    let drawn = draw::policy(bytes).and_then(|policy| {
        let order = draw::order(bytes, 1)?;
        Ok((policy, order, draw::host(bytes, 2)?))
    });
    let Ok((policy, order, host)) = drawn else {
        return;
    };
    let price = |body: &[u8]| host::price(body, &host, &policy);
    let outcome = price(order.as_bytes());
    let expected = match Node::read(&order) {
        None => Err("Failed to parse request body".to_owned()),
        Some(order) => schema::check(&order, &schema::order(&Limits::default()))
            .map_err(|fault| format!("Invalid order: {fault}"))
            .and_then(|()| model::price(&order, &host, &policy)),
    };
    assert_eq!(outcome, expected, "{order}");
    if let Ok(response) = outcome {
        assert!(Node::read(&response).is_some());
        assert_eq!(price(response.as_bytes()).as_ref(), Ok(&response));
    }
}
