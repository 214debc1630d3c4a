//! The contacts of a line, in the log's order and by object.

use super::LoggedContact;
use std::ops::Deref;
use std::sync::OnceLock;

/// The contacts of a line, in the log's order.
#[derive(Clone, Debug, Default)]
pub struct LoggedContacts {
    list: Vec<LoggedContact>,
    /// The impulse of each along its normal in the step, kilograms times metres per second; NaN where the log has none. Empty where it has none at all.
    impulses: Vec<f64>,
    /// Objects with the numbers of their contacts, ascending; built on first use.
    by_object: OnceLock<Vec<(u32, u32)>>,
}

impl LoggedContacts {
    /// Contacts with the impulses of all, or none.
    pub(super) fn new(list: Vec<LoggedContact>, impulses: Vec<f64>) -> Self {
        Self {
            list,
            impulses,
            by_object: OnceLock::new(),
        }
    }

    /// Those of an object with their numbers, in the log's order.
    pub fn of(&self, object: u32) -> impl ExactSizeIterator<Item = (usize, &LoggedContact)> {
        let by_object = self.by_object.get_or_init(|| {
            let contacts = (0..).zip(&self.list);
            let ends = contacts.flat_map(|(number, it)| [(it.a, number), (it.b, number)]);
            let mut ends: Vec<(u32, u32)> = ends.collect();
            ends.sort_unstable();
            // Of an object with itself.
            ends.dedup();
            ends
        });
        let first = by_object.partition_point(|(known, _)| *known < object);
        let count = by_object[first..].partition_point(|(known, _)| *known == object);
        let numbers = by_object[first..first + count].iter();
        numbers.map(|(_, number)| (*number as usize, &self.list[*number as usize]))
    }

    /// Those of two objects.
    pub fn between(&self, a: u32, b: u32) -> impl Iterator<Item = &LoggedContact> {
        let [of_a, of_b] = [self.of(a), self.of(b)];
        let fewer = if of_a.len() <= of_b.len() { of_a } else { of_b };
        let contacts = fewer.map(|(_, contact)| contact);
        contacts.filter(move |it| [[a, b], [b, a]].contains(&[it.a, it.b]))
    }

    /// Adds one.
    pub fn push(&mut self, contact: LoggedContact) {
        self.push_with(contact, None);
    }

    /// Adds one with its impulse along its normal in the step, kilograms times metres per second, if that is known.
    pub fn push_with(&mut self, contact: LoggedContact, impulse: Option<f64>) {
        self.by_object = OnceLock::new();
        if impulse.is_some() || !self.impulses.is_empty() {
            self.impulses.resize(self.list.len(), f64::NAN);
            self.impulses.push(impulse.unwrap_or(f64::NAN));
        }
        self.list.push(contact);
    }

    /// The impulse of a contact by its number, along its normal in the step, kilograms times metres per second; `None` where it was not logged.
    pub fn impulse(&self, number: usize) -> Option<f64> {
        let impulse = self.impulses.get(number).copied();
        impulse.filter(|impulse| !impulse.is_nan())
    }

    /// Those of all; empty where none is known.
    pub fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// Size in memory, bytes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.list) + size_of_val(&*self.impulses)
    }

    /// To change them, but not their number.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut LoggedContact> {
        self.by_object = OnceLock::new();
        self.list.iter_mut()
    }
}

impl Deref for LoggedContacts {
    type Target = [LoggedContact];

    fn deref(&self) -> &[LoggedContact] {
        &self.list
    }
}

impl PartialEq for LoggedContacts {
    fn eq(&self, other: &Self) -> bool {
        let bits = |list: &[f64]| list.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        self.list == other.list && bits(&self.impulses) == bits(&other.impulses)
    }
}

impl From<Vec<LoggedContact>> for LoggedContacts {
    fn from(list: Vec<LoggedContact>) -> Self {
        Self {
            list,
            ..Self::default()
        }
    }
}

impl Extend<LoggedContact> for LoggedContacts {
    fn extend<I: IntoIterator<Item = LoggedContact>>(&mut self, contacts: I) {
        contacts.into_iter().for_each(|it| self.push(it));
    }
}

impl IntoIterator for LoggedContacts {
    type Item = LoggedContact;
    type IntoIter = std::vec::IntoIter<LoggedContact>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'l> IntoIterator for &'l LoggedContacts {
    type Item = &'l LoggedContact;
    type IntoIter = std::slice::Iter<'l, LoggedContact>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn by_object_and_by_pair() {
        let contact = |a, b| LoggedContact {
            a,
            b,
            point: DVec3::ZERO,
            normal: DVec3::Y,
            depth: 0.0,
        };
        let pairs = [(5, 2), (1, 2), (2, 5), (3, 3), (5, 1)];
        let mut contacts = LoggedContacts::default();
        pairs
            .iter()
            .for_each(|(a, b)| contacts.push(contact(*a, *b)));
        let of = |contacts: &LoggedContacts, object| -> Vec<usize> {
            contacts.of(object).map(|(number, _)| number).collect()
        };
        assert_eq!(of(&contacts, 2), [0, 1, 2]);
        assert_eq!(of(&contacts, 3), [3]);
        assert!(of(&contacts, 4).is_empty());
        assert_eq!(contacts.between(2, 5).count(), 2);
        contacts.push_with(contact(9, 2), Some(2.5));
        let known: Vec<_> = (0..7).map(|number| contacts.impulse(number)).collect();
        assert_eq!(known, [None, None, None, None, None, Some(2.5), None]);
        assert_eq!(of(&contacts, 2), [0, 1, 2, 5]);
    }
}
