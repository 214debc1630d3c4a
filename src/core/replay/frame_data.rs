//! What a log gives for one frame.

use super::{Body, LoggedContacts, LoggedNote, LoggedPush, LoggedQuery};

/// What a log gives for one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameData {
    /// Sorted by object.
    pub bodies: Vec<Body>,
    /// In the log's order.
    pub contacts: LoggedContacts,
    /// In the log's order.
    pub pushes: Vec<LoggedPush>,
    /// In the log's order.
    pub queries: Vec<LoggedQuery>,
    /// Lines, values, marks and moves, each in the log's order. Nothing is judged by them: [`FrameStore::events`](super::FrameStore::events) may leave them out.
    pub notes: Vec<LoggedNote>,
}

impl FrameData {
    /// The body of an object.
    pub(super) fn body(&self, object: u32) -> Option<Body> {
        let index = self
            .bodies
            .binary_search_by_key(&object, |body| body.object);
        index.ok().map(|index| self.bodies[index])
    }

    /// Size in memory, bytes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.bodies)
            + self.contacts.size()
            + size_of_val(&*self.pushes)
            + size_of_val(&*self.queries)
            + size_of_val(&*self.notes)
            + self.notes.iter().map(LoggedNote::heap_size).sum::<usize>()
    }
}

/// How many entries the frames of a log have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Bodies, each counted in each frame.
    pub bodies: usize,
    /// Contacts.
    pub contacts: usize,
    /// Pushes.
    pub pushes: usize,
    /// Queries.
    pub queries: usize,
    /// Lines, values, marks and moves of the program.
    pub notes: usize,
}

impl Totals {
    pub(super) fn add(&mut self, data: &FrameData) {
        self.bodies += data.bodies.len();
        self.contacts += data.contacts.len();
        self.pushes += data.pushes.len();
        self.queries += data.queries.len();
        self.notes += data.notes.len();
    }
}
