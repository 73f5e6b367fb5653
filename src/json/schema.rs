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
/// A default may name the fields before it. `null` is a fault of a required
/// field, and as good as nothing for the others (D7); `raw` is as `or`, but reads
/// it itself. A field behind a semicolon is not read. The reader looks for the
/// keys in the order of the fields first: senders usually write them so.
macro_rules! schema {
    (@$fields:ident
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
            $($(#[$field_meta])* #[doc = concat!("`", $key, "`.")] $field_vis $field: $Field,)+
            $($(#[$unread_meta])* $unread: $Unread,)?
        }

        impl $name {
            pub(crate) const KEYS: &'static [&'static str] =
                &[$(concat!("\"", $key, "\":")),+];

            #[inline]
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
                let written = |place: usize, text: &[u8]| match KEYS.get(place) {
                    $(Some(Key::$field) => {
                        const WRITTEN: &[u8] = concat!("\"", $key, "\":").as_bytes();
                        text.starts_with(WRITTEN).then_some(WRITTEN.len())
                    })+
                    None => None,
                };
                json.$fields($name::KEYS, written, |json, place| {
                    match KEYS.get(place) {
                        $(Some(Key::$field) => {
                            $field = $crate::json::schema!(@read $kind, json, $read);
                        })+
                        None => {}
                    }
                    Ok(())
                })?;
                $(let $field = $crate::json::schema!(@value $kind, $field, $key $(, $default)?);)+
                Ok(Self {
                    $($field,)+
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
    (frequent $($object:tt)+) => { $crate::json::schema!(@frequent_fields $($object)+); };
    ($($object:tt)+) => { $crate::json::schema!(@fields $($object)+); };
}

pub(crate) use schema;
