//! The values that clients of the old routes write as another type (D49).
//!
//! The reader comes here only when a value is not of the type that the schema
//! expects, so that a strict order pays nothing.

use super::{Origin, Reader, Span};

impl Reader<'_> {
    /// Reads a string that is a JSON number; the span is the number.
    #[cold]
    #[inline(never)]
    pub(super) fn number_in_string(&mut self) -> Option<Span> {
        let content = self.content_of_string()?;
        let is_plain = |byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        // White space around a number is no part of it.
        let is_number = content.bytes().all(is_plain)
            && Reader::document(&content, Origin::Wire, Reader::number).is_ok();
        is_number.then(|| self.write(&content)).flatten()
    }

    /// Reads a number where a string is expected; the span is a JSON string.
    #[cold]
    #[inline(never)]
    pub(super) fn string_of_number(&mut self) -> Option<Span> {
        if !self.origin.is_lenient() || !matches!(self.byte(), Some(b'-' | b'0'..=b'9')) {
            return None;
        }
        let number = self.number().ok()?;
        let number = format!("\"{}\"", self.text_at(number));
        self.write(&number)
    }

    /// Reads the string `"true"` or `"false"`.
    #[cold]
    #[inline(never)]
    pub(super) fn boolean_in_string(&mut self) -> Option<bool> {
        self.deviate();
        match &*self.content_of_string()? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    fn content_of_string(&mut self) -> Option<String> {
        if !self.origin.is_lenient() || self.byte() != Some(b'"') {
            return None;
        }
        let string = self.string().ok()?;
        Some(self.decoded(string).into_owned())
    }

    /// Writes a text behind the one that was read, where a span can point to
    /// it; `None` if no span reaches so far.
    fn write(&mut self, text: &str) -> Option<Span> {
        self.deviate();
        let start = self.text.len().checked_add(self.written.len())?;
        let end = start.checked_add(text.len())?;
        u32::try_from(end).ok()?;
        self.written.push_str(text);
        Some(Span::new(start, end))
    }

    /// The text of a span, which may have been written here.
    pub(super) fn text_at(&self, span: Span) -> &str {
        match span.start().checked_sub(self.text.len()) {
            Some(start) if !self.written.is_empty() => {
                let end = span.end().saturating_sub(self.text.len());
                self.written.get(start..end).unwrap_or_default()
            }
            _ => span.of(self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::json::Origin;
    use crate::options::Limits;
    use crate::order::Order;

    fn read(body: &str, origin: Origin) -> Result<Order, String> {
        let order = Order::read(body.as_bytes(), origin, &Limits::default());
        order.map_err(|error| error.to_string())
    }

    #[test]
    fn d49_what_stands_in_another_type_reads_as_the_right_one() {
        let body = r#"{"branchId":1000,"ownerId":1e3,"orderDate":"\u0031.50","requestSubstitute":"true","voucherId":[7,"7"],
            "productList":[{"cprcode":"5","productName":-0.0,"quantity":"2e0","isPreOrder":"false"}],
            "shipping":{"shippingType":"delivery","shippingLat":"13.7","brcode":"12"}}"#;
        let order = read(body, Origin::Lenient).expect("a lenient reader takes it");
        let fields = &order.fields;
        assert_eq!(order.branch_id_json(), r#""1000""#);
        assert_eq!(order.branch_id(), "1000");
        assert_eq!(order.json(fields.owner_id, ""), r#""1e3""#);
        assert_eq!(order.json(fields.order_date, ""), "1.50");
        assert!(fields.request_substitute);
        assert_eq!(order.first_places(&fields.voucher_ids), [0, 0]);
        let [product] = &*fields.products else {
            panic!("one product");
        };
        assert_eq!((product.cprcode, product.quantity), (5, 2));
        assert_eq!(product.product_name.of(&order.text), r#""-0.0""#);
        assert!(product.verbatim(&order).is_none());
        let shipping = fields.shipping.as_ref().expect("a shipping");
        assert_eq!(shipping.shipping_type.word(), "DELIVERY");
        assert_eq!((order.degrees(shipping.lat), shipping.brcode), (13.7, 12));
        assert_eq!(
            read(body, Origin::Wire).err().as_deref(),
            Some("Invalid order: branchId: expected a string")
        );
    }

    #[test]
    fn d49_anything_else_fails_as_in_a_strict_order() {
        for (member, message) in [
            (r#""branchId":true"#, "branchId: expected a string"),
            (r#""branchId":[1]"#, "branchId: expected a string"),
            (r#""orderDate":"""#, "orderDate: expected a number"),
            (r#""orderDate":" 1""#, "orderDate: expected a number"),
            (r#""orderDate":"1 ""#, "orderDate: expected a number"),
            (r#""orderDate":"01""#, "orderDate: expected a number"),
            (r#""orderDate":"0x1""#, "orderDate: expected a number"),
            (r#""orderDate":"NaN""#, "orderDate: expected a number"),
            (r#""orderDate":"\"1\"""#, "orderDate: expected a number"),
            (r#""orderDate":true"#, "orderDate: expected a number"),
            (
                r#""requestSubstitute":"True""#,
                "requestSubstitute: expected true or false",
            ),
            (
                r#""requestSubstitute":1"#,
                "requestSubstitute: expected true or false",
            ),
            (
                r#""requestSubstitute":"1""#,
                "requestSubstitute: expected true or false",
            ),
            (
                r#""shipping":{"shippingType":"deliver"}"#,
                "shipping.shippingType: expected one of DELIVERY, PICKUP",
            ),
            (
                r#""shipping":{"shippingType":1}"#,
                "shipping.shippingType: expected one of DELIVERY, PICKUP",
            ),
            (
                r#""shipping":{"brcode":"1.5"}"#,
                "shipping.brcode: expected an integer",
            ),
            (r#""voucherId":[null]"#, "voucherId[0]: expected a string"),
            (r#""voucherId":"7""#, "voucherId: expected an array"),
        ] {
            let body = format!(r#"{{{member},"productList":[]}}"#);
            let message = format!("Invalid order: {message}");
            for origin in [Origin::Lenient, Origin::LenientObject] {
                assert_eq!(read(&body, origin).err(), Some(message.clone()), "{body}");
            }
        }
    }
}
