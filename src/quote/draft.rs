//! A valid order, before the host is asked.

use crate::error::Error;
use crate::json::Origin;
use crate::options::Limits;
use crate::order::Order;

/// A valid order without prices, fees and vouchers yet.
#[derive(Debug)]
pub struct Draft {
    pub(super) order: Order,
}

impl Draft {
    pub(crate) fn new(order: Order) -> Self {
        Self { order }
    }

    /// Reads a request body.
    pub fn read(body: &[u8], origin: Origin, limits: &Limits) -> Result<Self, Error> {
        Order::read(body, origin, limits).map(Self::new)
    }
}
