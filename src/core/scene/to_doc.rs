//! Serde values as documents for the layout: structs as `(name: value)`, variants as `Name(..)`.

use super::layout::{Doc, brackets, float, list, named, quoted};
use crate::core::schema::camel;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::fmt;

/// A value of the schema as a document.
pub(super) fn doc(value: &impl Serialize) -> Doc {
    value
        .serialize(ToDoc)
        .expect("the schema has only what a document can hold")
}

struct ToDoc;

/// A value with others inside it.
struct Group {
    form: Form,
    items: Vec<Doc>,
}

enum Form {
    /// `[..]`
    List,
    /// `(a, b, c)`, never broken.
    Tuple,
    /// `(x, y, z)`
    Vector,
    /// `Name(..)`
    Named(String),
}

type Result<T = Doc> = std::result::Result<T, fmt::Error>;

fn group(form: Form) -> Result<Group> {
    let items = Vec::new();
    Ok(Group { form, items })
}

impl Group {
    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        self.items.push(value.serialize(ToDoc)?);
        Ok(())
    }

    fn field(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        self.items.push(named(name, value.serialize(ToDoc)?));
        Ok(())
    }

    fn close(self) -> Result {
        let texts = || {
            let texts = self.items.iter().map(|item| item.print_at(0, 0));
            texts.collect::<Vec<_>>()
        };
        Ok(match self.form {
            Form::List => list(self.items),
            Form::Tuple => format!("({})", texts().join(", ")).into(),
            Form::Vector => Doc::Vector(texts()),
            Form::Named(name) => brackets(&name, self.items),
        })
    }
}

macro_rules! plain {
    ($($method:ident: $type:ty,)*) => {
        $(fn $method(self, value: $type) -> Result {
            Ok(value.to_string().into())
        })*
    };
}

impl Serializer for ToDoc {
    type Ok = Doc;
    type Error = fmt::Error;
    type SerializeSeq = Group;
    type SerializeTuple = Group;
    type SerializeTupleStruct = Group;
    type SerializeTupleVariant = Group;
    type SerializeMap = Impossible<Doc, fmt::Error>;
    type SerializeStruct = Group;
    type SerializeStructVariant = Group;

    plain! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
    }
    fn serialize_f32(self, value: f32) -> Result {
        Ok(float(value.into()))
    }
    fn serialize_f64(self, value: f64) -> Result {
        Ok(float(value))
    }
    fn serialize_char(self, value: char) -> Result {
        Ok(quoted(&value.to_string()))
    }
    fn serialize_str(self, value: &str) -> Result {
        Ok(quoted(value))
    }
    fn serialize_bytes(self, _: &[u8]) -> Result {
        Err(fmt::Error)
    }
    fn serialize_none(self) -> Result {
        Ok("None".into())
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result {
        Ok("()".into())
    }
    fn serialize_unit_struct(self, name: &'static str) -> Result {
        Ok(name.into())
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result {
        Ok(camel(variant).into())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result {
        let text = value.serialize(self)?.print_at(0, 0);
        Ok(match (name, text.parse()) {
            // One digit is equal in both bases.
            ("Bits", Ok(bits @ 10_u32..)) => format!("0x{bits:X}").into(),
            _ => text.into(),
        })
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        Ok(brackets(&camel(variant), vec![value.serialize(self)?]))
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Group> {
        group(Form::List)
    }
    fn serialize_tuple(self, _: usize) -> Result<Group> {
        group(Form::Tuple)
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Group> {
        group(Form::Vector)
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Group> {
        group(Form::Named(camel(variant)))
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        Err(fmt::Error)
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Group> {
        group(Form::Named(String::new()))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Group> {
        group(Form::Named(camel(variant)))
    }
}

/// The parts of a list or struct, one after another.
macro_rules! parts {
    ($($kind:ident $method:ident $add:ident ($($name:ident: $type:ty)?);)*) => {
        $(impl ser::$kind for Group {
            type Ok = Doc;
            type Error = fmt::Error;
            fn $method<T: Serialize + ?Sized>(&mut self, $($name: $type,)? value: &T) -> Result<()> {
                self.$add($($name,)? value)
            }
            fn end(self) -> Result {
                self.close()
            }
        })*
    };
}

parts! {
    SerializeSeq serialize_element item ();
    SerializeTuple serialize_element item ();
    SerializeTupleStruct serialize_field item ();
    SerializeTupleVariant serialize_field item ();
    SerializeStruct serialize_field field (name: &'static str);
    SerializeStructVariant serialize_field field (name: &'static str);
}
