//! The contacts of a line, in the log's order and by object.

use super::LoggedContact;
use std::ops::Deref;
use std::sync::OnceLock;

/// The contacts of a line, in the log's order.
#[derive(Clone, Debug, Default)]
pub struct LoggedContacts {
    list: Vec<LoggedContact>,
    /// Objects with the numbers of their contacts, ascending; built on first use.
    by_object: OnceLock<Vec<(u32, u32)>>,
}

impl LoggedContacts {
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
        self.list_mut().push(contact);
    }

    /// To change them.
    pub fn list_mut(&mut self) -> &mut Vec<LoggedContact> {
        self.by_object = OnceLock::new();
        &mut self.list
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
        self.list == other.list
    }
}

impl From<Vec<LoggedContact>> for LoggedContacts {
    fn from(list: Vec<LoggedContact>) -> Self {
        Self {
            list,
            by_object: OnceLock::new(),
        }
    }
}

impl Extend<LoggedContact> for LoggedContacts {
    fn extend<I: IntoIterator<Item = LoggedContact>>(&mut self, contacts: I) {
        self.list_mut().extend(contacts);
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
        contacts.push(contact(9, 2));
        assert_eq!(of(&contacts, 2), [0, 1, 2, 5]);
    }
}
