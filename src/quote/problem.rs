//! What keeps an order from being priced.

use crate::error::Error;

/// A reason why an order or a basket cannot be priced as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The reason.
    pub error: Error,
    /// The number of the call that failed, if a call failed.
    pub call: Option<u32>,
}

/// What keeps an order from being priced.
#[derive(Debug)]
pub(crate) enum Obstacle {
    /// The host has yet to answer.
    Open,
    Problem(Problem),
}

impl Obstacle {
    pub(crate) fn problem(self) -> Option<Problem> {
        match self {
            Self::Problem(problem) => Some(problem),
            Self::Open => None,
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self { error, call: None }
    }
}
