//! What a batch of contacts collects: those that touch, with the pair they belong to.

use crate::core::query::Contact;

/// The contacts of a batch, by pair, in order; pairs that are apart have none.
pub type Contacts = Vec<(u32, Contact)>;
