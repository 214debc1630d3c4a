//! What a log gives for one frame.

use super::{Body, LoggedContacts, LoggedPush, LoggedQuery};

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
            + size_of_val(&*self.contacts)
            + size_of_val(&*self.pushes)
            + size_of_val(&*self.queries)
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
}

impl Totals {
    pub(super) fn add(&mut self, data: &FrameData) {
        self.bodies += data.bodies.len();
        self.contacts += data.contacts.len();
        self.pushes += data.pushes.len();
        self.queries += data.queries.len();
    }
}
