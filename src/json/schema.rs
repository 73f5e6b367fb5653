//! The objects of the schema: a struct whose fields say by which key and how
//! they are read.

/// Declares a struct and `read`, which reads it from a JSON object. Keys that it
/// does not have are dropped (D2); of a repeated one the last counts (D9).
///
/// ```text
/// schema! {
///     struct Product(limits: &Limits) {           // what `read` is given besides
///         cprcode: i64 = required("cprcode", Reader::integer),
///         remark: Option<Span> = optional("remark", Reader::string),
///         schedule_id: i64 = or("scheduleId", Reader::integer, 0),
///     }
/// }
/// ```
///
/// `null` is a fault of a required field, and otherwise as good as nothing (D7).
/// `raw` is as `or`, but reads a `null` itself. A field behind a semicolon is not
/// read. Senders usually write the keys
/// in the order of the fields: the reader looks for the next one first.
macro_rules! schema {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(($context:ident: $Context:ty))? {
            $(
                $(#[$field_meta:meta])*
                $field_vis:vis $field:ident: $Field:ty
                    = $kind:ident($key:literal, $read:expr $(, $default:expr)?)
            ),+
            $(; $(#[$unread_meta:meta])* $unread:ident: $Unread:ty = $value:expr)?
            $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $Field,)+
            $($(#[$unread_meta])* $unread: $Unread,)?
        }

        impl $name {
            /// The keys, as [`Reader::fields`](crate::json::Reader::fields) takes them.
            pub(crate) const KEYS: &'static [&'static str] =
                &[$(concat!("\"", $key, "\":")),+];

            pub(crate) fn read(
                json: &mut $crate::json::Reader<'_>
                $(, $context: $Context)?
            ) -> Result<Self, $crate::error::Fault> {
                #[allow(non_camel_case_types)]
                #[derive(Clone, Copy)]
                enum Key {
                    $($field),+
                }
                const KEYS: &[Key] = &[$(Key::$field),+];
                $(let mut $field = None;)+
                json.fields($name::KEYS, &mut |json, place| {
                    match KEYS.get(place) {
                        $(Some(Key::$field) => {
                            $field = $crate::json::schema!(@read $kind, json, $read);
                        })+
                        None => {}
                    }
                    Ok(())
                })?;
                Ok(Self {
                    $($field: $crate::json::schema!(@value $kind, $field, $key $(, $default)?),)+
                    $($unread: $value,)?
                })
            }
        }
    };
    (@read required, $json:ident, $read:expr) => { Some($json.required($read)?) };
    (@read optional, $json:ident, $read:expr) => { $json.optional($read)? };
    (@read or, $json:ident, $read:expr) => { $json.optional($read)? };
    (@read raw, $json:ident, $read:expr) => { Some($read($json)?) };
    (@value optional, $field:ident, $key:literal) => { $field };
    (@value required, $field:ident, $key:literal) => {
        $field.ok_or_else(|| $crate::error::Fault::missing($key))?
    };
    (@value $kind:ident, $field:ident, $key:literal, $default:expr) => {
        match $field {
            Some(value) => value,
            None => $default,
        }
    };
}

pub(crate) use schema;
