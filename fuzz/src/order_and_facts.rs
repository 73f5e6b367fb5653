//! An order and the host's facts through the whole pipeline. The steps add up to the grand total, and pricing the response
//! again as a request changes nothing.

use arbitrary::Unstructured;

use super::json::Node;
use super::{draw, host};

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
    if let Ok(response) = price(order.as_bytes()) {
        assert!(Node::read(&response).is_some());
        assert_eq!(price(response.as_bytes()).as_ref(), Ok(&response));
    }
}
