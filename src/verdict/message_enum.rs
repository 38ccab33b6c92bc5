//! The macro `message_enum!`, which defines an enum with a reason code, a message and a hint for
//! each variant.

/// Defines an enum with the functions `reason`, `write_message` and `row_hint`. Each variant is a
/// row of the form `Variant(field: Type) => REASON; MESSAGE; HINT;`. The message is a format string
/// with its arguments. All three parts can use the fields of the variant, as references. If there
/// is no hint, the text of the hint is empty. There is a separate function for each part, so a
/// program that does not use the hints does not contain their text.
macro_rules! message_enum {
    (
        $(#[$about:meta])*
        pub enum $name:ident $(<$life:lifetime>)? {$(
            $(#[$doc:meta])*
            $variant:ident $(($($item:ident: $item_type:ty),+))? $({$(
                $(#[$field_doc:meta])*
                $field:ident: $field_type:ty,
            )+})?
            => $reason:expr; $text:literal $(, $argument:expr)*; $hint:expr;
        )+}
    ) => {
        $(#[$about])*
        pub enum $name $(<$life>)? {$(
            $(#[$doc])*
            $variant $(($($item_type),+))? $({$(
                $(#[$field_doc])*
                $field: $field_type,
            )+})?,
        )+}

        #[allow(unused_variables)]
        impl $(<$life>)? $name $(<$life>)? {
            /// Returns the reason code, for scripts.
            pub fn reason(&self) -> &'static str {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => $reason,)+
                }
            }

            /// Writes the message.
            fn write_message(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => write!(f, $text $(, $argument)*),)+
                }
            }

            /// Returns the most likely next step for the user, or an empty text.
            fn row_hint(&self) -> &'static str {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => $hint,)+
                }
            }
        }
    };
}
pub(super) use message_enum;
