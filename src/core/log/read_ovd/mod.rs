//! Reads recordings of OmniPVD, the debugger of PhysX 5: `.ovd` files, and its stream over a socket.
//!
//! The stream describes the objects of a PhysX program and changes them ([`commands`]). After each step of a scene its state ([`world`])
//! becomes a line of a log, which is read like any other.

mod commands;
mod objects;
mod shapes;
mod world;

use super::ReadContext;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::Recording;
use commands::{Commands, Fault, Next, SOCKET};
use std::io::BufRead;
use world::{End, World};

/// Whether a stream of this first byte is one of OmniPVD: no log in JSON Lines begins so.
pub(super) fn is_ovd(first: u8) -> bool {
    first == 0 || first == SOCKET[0]
}

/// See [`super::read`].
pub(super) fn read(
    input: impl BufRead,
    length: (u64, u64),
    context: ReadContext<'_, '_>,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    let ReadContext {
        file,
        options,
        folder,
        mut parts,
        ..
    } = context;
    let mut commands = Commands::open(input, length, file, progress)?;
    let mut world = World::new(file, folder, options);
    let broken = loop {
        let command = match commands.next() {
            Ok(Next::End) => break None,
            Ok(Next::Waiting) => None,
            Ok(Next::Command(command)) => Some(command),
            Err(Fault::Broken(problem)) => break Some(problem),
            Err(Fault::Failed(problem)) => return Err(problem.into()),
        };
        let applied = command.map_or(Ok(()), |command| {
            world.apply(command, &commands.names, commands.at)
        });
        match applied {
            Ok(()) => {}
            Err(End::Full(problem)) => break Some(problem),
            Err(End::Failed(problems)) => return Err(problems),
        }
        if let Some(reader) = &world.reader {
            reader.offer(&mut parts);
        }
    };
    let mut notices = world.notices();
    if let Some((byte, count)) = commands.too_long {
        let values = match count {
            1 => "1 value is".to_owned(),
            count => format!("{count} values are"),
        };
        let what = format!("{values} too long and left out, from byte {byte} on");
        notices.push(Problem::new(file, what, "record smaller meshes"));
    }
    let Some(mut reader) = world.reader else {
        let what = "the recording has no step of a simulation";
        let help = "start OmniPVD before the first step, and stop it after the last one";
        let none = Problem::new(file, what, help);
        return Err(Problems(
            broken.into_iter().chain([none]).chain(notices).collect(),
        ));
    };
    notices.into_iter().for_each(|notice| reader.notice(notice));
    reader.broken(broken);
    reader.finish()
}
