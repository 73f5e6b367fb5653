//! The codes of errors, and what documents and types say of each. The module
//! for JavaScript holds the words alone: nothing in it refers to [`CODES`].

/// A code.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The word that programs read.
    pub word: &'static str,
    /// Its messages.
    pub messages: &'static [Message],
    /// What to do about it.
    pub fix: &'static str,
}

/// A message.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// Its text, with `<…>` in place of what differs; empty: one of
    /// [`LOOK_UP_MESSAGES`].
    pub text: &'static str,
    /// When an order gets it.
    pub when: &'static str,
}

/// Declares the words as constants, and [`CODES`].
macro_rules! codes {
    ($($word:ident: { $($text:literal => $when:literal),+ $(,)? } $fix:literal)+) => {
        $(
            #[allow(dead_code, reason = "some errors arise in JavaScript")]
            #[doc = $fix]
            pub(crate) const $word: &str = stringify!($word);
        )+

        /// Every code.
        pub const CODES: &[Code] = &[$(
            Code {
                word: $word,
                messages: &[$(Message { text: $text, when: $when }),+],
                fix: $fix,
            }
        ),+];
    };
}

codes! {
    INVALID_JSON: {
        "Failed to parse request body" => "The body is not JSON, or is nested more than 128 levels deep (D10).",
    } "Send JSON. For an object, `cause` says why it cannot be written as JSON."

    VALIDATION_ERROR: {
        "Invalid order: <path>: <what was expected>" => "The body is JSON but no valid order (D11).",
        "Invalid deliveryZones: <path>: <what was expected>" => "The operator's zones are wrong (D35).",
        "Invalid options: <path>: <what was expected>" => "Options are wrong, or one is unknown (D47).",
        "Invalid facts: <path>: <what was expected>" => "The facts that a caller knows are wrong.",
        "The basket is not settled" => "`responseJson` was called before the basket's totals were final.",
        "The basket was freed: make another one with pricer.basket()" => "A basket was used after `free`.",
    } "Fix what `path` names: a field of the order, the options, the zones or the facts, an argument such as `line`, or the whole `body` or `basket`."

    LIMIT_EXCEEDED: {
        "Request body is larger than <n> bytes" => "The body is too large.",
        "Invalid order: <path>: expected at most <n> <what>" => "A list or `branchId` is too long (D45).",
    } "Send less. The message names the limit."

    PRODUCT_PRICE_NOT_FOUND: {
        "No price for <cprcode>/<branchId>" => "The product has no price at the branch (D43).",
    } "Remove the product."

    BRANCH_NOT_AVAILABLE: {
        "Branch <brcode> is not available" => "The branch has no delivery zone (D34).",
    } "Offer another branch, pickup or nationwide delivery."

    BRANCH_NOT_IN_POLYGON: {
        "Branch <brcode> not in polygon" => "No zone of the branch covers the address (D34).",
    } "Offer another branch, pickup or nationwide delivery."

    NATIONWIDE_RATE_NOT_FOUND: {
        "No nationwide rate for <postcode>/<mode>" => "The order's postcode is not served (D46).",
    } "Offer another address or pickup."

    VOUCHER_NOT_FOUND: {
        "Voucher <id> not found" => "The voucher does not exist (D32).",
    } "Remove the voucher."

    PRICE_LOOKUP_FAILED: {
        "" => "`lookupPrices` failed or gave a wrong answer (D41, D44).",
    } "If `retryable` is true, try again. Otherwise fix the host."

    NATIONWIDE_RATE_FAILED: {
        "" => "`nationwideRate` failed or gave a wrong answer (D41, D44).",
    } "If `retryable` is true, try again. Otherwise fix the host."

    DELIVERY_ZONES_FAILED: {
        "" => "The function `deliveryZones` failed (D41). Only orders that need a zone fail.",
        "Invalid deliveryZones: <path>: <what was expected>" => "It gave wrong zones (D35).",
    } "If `retryable` is true, try again. Otherwise fix the function or its zones."

    VOUCHER_LOOKUP_FAILED: {
        "" => "`lookupVouchers` failed or gave a wrong answer (D41, D44).",
    } "If `retryable` is true, try again. Otherwise fix the host."

    COUPON_SERVICE_FAILED: {
        "" => "`validateCoupons` failed or gave a wrong answer (D41, D44).",
    } "If `retryable` is true, try again. Otherwise fix the host."

    NOT_KNOWN: {
        "Not known: <keys by part of the facts>" => "`calculateNow` or `calculateJsonNow` would have to ask the host. No service answers this.",
    } "Add what `notKnown` lists to the facts, or call `calculate`, which asks."

    OVERFLOW: {
        "Overflow: <field> is too large" => "An amount is too large or too precise: it needs more than 96 bits (D19).",
    } "Fix the price or the quantity."

    DEADLINE_EXCEEDED: {
        "The order was not priced within <n> ms" => "The whole order was too slow. Only the HTTP routes have this deadline (D41).",
    } "Try again."

    ABORTED: {
        "The calculation was aborted" => "The caller gave up: aborted the signal, freed the basket or hung up (D41).",
    } "Nothing."

    INTERNAL: {
        "Internal error" => "The package has a bug, or its module could not be loaded; then the message is longer and says what to do.",
    } "Follow the message, or report a bug."
}

/// The messages of a look-up that failed (D41, D44).
pub const LOOK_UP_MESSAGES: &[Message] = &[
    Message {
        text: "<function> failed",
        when: "The function threw a value without a message. Otherwise the message is that of what it threw.",
    },
    Message {
        text: "<function> did not answer within <n> ms",
        when: "It was too slow.",
    },
    Message {
        text: "The host does not supply <function>",
        when: "The host does not have it.",
    },
    Message {
        text: "Invalid answer from <function>: <key>: <path>: <what was expected>",
        when: "Its answer is wrong. The key stands there if the look-up has several keys.",
    },
    Message {
        text: "A host function nested calculations more than 32 deep",
        when: "It waited for a calculation of its own, whose functions did the same, 32 deep. `retryable` is false.",
    },
];

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn every_code_and_every_message_is_stated_once_and_in_full() {
        let mut words: Vec<_> = CODES.iter().map(|code| code.word).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), CODES.len());
        for code in CODES {
            assert!(code.fix.ends_with('.'), "{code:?}");
            assert!(
                code.messages
                    .iter()
                    .all(|message| message.when.ends_with('.')),
                "{code:?}"
            );
        }
    }
}
