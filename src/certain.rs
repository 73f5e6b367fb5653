//! What the code knows for certain.

/// Takes a value that an invariant promises. A wrong value in its place would
/// be a wrong price, so the module traps: the package then replaces it. No
/// order, answer or option reaches such a trap; the fuzz targets look for one.
pub(crate) trait Certain<T> {
    /// The value.
    fn certain(self) -> T;
}

impl<T> Certain<T> for Option<T> {
    #[inline(always)]
    fn certain(self) -> T {
        self.unwrap_or_else(|| impossible())
    }
}

/// The one message of all broken invariants: each of its own would be a text to
/// load. A stack trace shows where it happened.
#[cold]
#[inline(never)]
#[allow(clippy::panic)]
pub(crate) fn impossible() -> ! {
    panic!("an invariant is broken")
}
