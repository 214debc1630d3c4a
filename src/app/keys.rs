//! Keys become commands before the toolkit uses them to move the focus.
//!
//! Left alone, the toolkit takes Space and the arrows for the focused button. This plugin takes the keys of the table out of
//! the input first, except while a text is being typed or a menu is open, where they mean what they always mean.

use super::command::{Command, Entry, TABLE};
use egui::text_selection::LabelSelectionState;
use egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Plugin, RawInput};

/// The commands whose keys were pressed since they were last taken.
#[derive(Default)]
pub struct Keys {
    pressed: Vec<Command>,
    /// Letters walk.
    walking: bool,
    /// A question stands over the window.
    asked: bool,
}

impl Keys {
    /// The commands of the keys pressed since the last call, in order.
    pub fn take(ctx: &Context) -> Vec<Command> {
        ctx.with_plugin(|keys: &mut Self| std::mem::take(&mut keys.pressed))
            .unwrap_or_default()
    }
}

impl Keys {
    /// While somebody walks, the letters that move are no commands.
    pub fn walk(ctx: &Context, walking: bool) {
        let _ = ctx.with_plugin(|keys: &mut Self| keys.walking = walking);
    }

    /// While a question stands over the window every key is its own: nothing is done behind it.
    pub fn ask(ctx: &Context, asked: bool) {
        let _ = ctx.with_plugin(|keys: &mut Self| keys.asked = asked);
    }
}

/// Keys that move whoever walks.
const STRIDES: [Key; 6] = [Key::W, Key::A, Key::S, Key::D, Key::E, Key::Q];

impl Plugin for Keys {
    fn debug_name(&self) -> &'static str {
        "hitstop keys"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        if self.asked {
            return;
        }
        let typing = ctx.text_edit_focused();
        let menu = egui::Popup::is_any_open(ctx);
        let focused = ctx.memory(|memory| memory.focused().is_some());
        // While the right button is held, letters fly.
        let flying = ctx.input(|input| input.pointer.secondary_down());
        let walking = (self.walking || flying) && !typing;
        let in_label = ctx.with_plugin(|labels: &mut LabelSelectionState| labels.has_selection());
        let in_label = in_label.unwrap_or_default();
        let pressed = &mut self.pressed;
        input.events.retain(|event| {
            if !typing && !menu {
                let objects = match event {
                    // The toolkit copies the text.
                    Event::Copy if in_label => return true,
                    Event::Copy => Some(Command::CopyObjects),
                    Event::Paste(text) => Some(Command::PasteObjects(text.clone())),
                    _ => None,
                };
                if let Some(command) = objects {
                    pressed.push(command);
                    return false;
                }
            }
            let Event::Key {
                key,
                pressed: down,
                repeat,
                modifiers,
                ..
            } = event
            else {
                return true;
            };
            let plain = !modifiers.command && !modifiers.alt;
            if walking && plain && STRIDES.contains(key) {
                return true;
            }
            let Some(entry) = entry_of(*key, *modifiers) else {
                return true;
            };
            // Whoever walks from button to button with Tab goes on doing so.
            let walks = *key == Key::Tab && focused;
            if menu || walks || (typing && !works_while_typing(*key, *modifiers)) {
                return true;
            }
            if *down && (!repeat || entry.command.repeats()) {
                pressed.push(entry.command.named());
            }
            false
        });
    }
}

/// The command of a key with its modifiers.
fn entry_of(key: Key, modifiers: Modifiers) -> Option<&'static Entry> {
    TABLE
        .iter()
        .find(|entry| entry.keys.iter().any(|keys| matches(*keys, key, modifiers)))
}

/// Exactly these modifiers; a sign that needs Shift on some keyboards ignores it.
fn matches(keys: KeyboardShortcut, key: Key, modifiers: Modifiers) -> bool {
    let shifted_sign = matches!(key, Key::Questionmark | Key::Plus | Key::Equals);
    keys.logical_key == key
        && keys.modifiers.alt == modifiers.alt
        && keys.modifiers.command == modifiers.command
        && (shifted_sign || keys.modifiers.shift == modifiers.shift)
}

/// Keys that no text field needs: with Ctrl (Cmd), and the function keys.
fn works_while_typing(key: Key, modifiers: Modifiers) -> bool {
    let function = matches!(
        key,
        Key::F1 | Key::F3 | Key::F4 | Key::F5 | Key::F11 | Key::F12
    );
    let left_to_text = matches!(
        key,
        Key::ArrowLeft
            | Key::ArrowRight
            | Key::Home
            | Key::End
            | Key::A
            | Key::Y
            | Key::Z
            | Key::Delete
    );
    function || (modifiers.command && !left_to_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(key: Key, modifiers: Modifiers) -> Option<&'static Command> {
        entry_of(key, modifiers).map(|entry| &entry.command)
    }

    #[test]
    fn modifiers_must_match_exactly() {
        assert_eq!(
            command(Key::ArrowRight, Modifiers::NONE),
            Some(&Command::NextFrame)
        );
        assert_eq!(
            command(Key::ArrowRight, Modifiers::SHIFT),
            Some(&Command::TenFramesForward)
        );
        assert_eq!(command(Key::Space, Modifiers::COMMAND), None);
        assert_eq!(
            command(Key::Questionmark, Modifiers::SHIFT),
            Some(&Command::ToggleCheatSheet),
            "a question mark is typed with Shift"
        );
    }

    #[test]
    fn a_text_field_keeps_what_it_needs() {
        assert!(!works_while_typing(Key::Space, Modifiers::NONE));
        assert!(!works_while_typing(Key::F, Modifiers::SHIFT));
        assert!(works_while_typing(Key::F, Modifiers::COMMAND));
        assert!(works_while_typing(Key::F5, Modifiers::NONE));
    }
}
