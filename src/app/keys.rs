//! Keyboard shortcuts.
//!
//! egui uses Space and the arrow keys for the focused widget. This plugin takes the keys of the command table out of the input
//! first, except while a text field has the focus or a menu is open.

use super::command::Command;
use super::entry::{Entry, TABLE};
use egui::text_selection::LabelSelectionState;
use egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Plugin, RawInput};
use std::collections::BTreeSet;

/// The commands whose keys were pressed since the last [`Keys::take`].
#[derive(Default)]
pub struct Keys {
    pressed: Vec<Command>,
    /// The walk uses the letter keys.
    walking: bool,
    /// A prompt is open.
    prompt_open: bool,
    /// The start page is open.
    on_start_page: bool,
    /// The movement keys that are held, by their place on the keyboard.
    held: BTreeSet<Key>,
}

impl Keys {
    /// Takes the commands of the keys pressed since the last call, in order.
    pub fn take(ctx: &Context) -> Vec<Command> {
        ctx.with_plugin(|keys: &mut Self| std::mem::take(&mut keys.pressed))
            .unwrap_or_default()
    }
}

impl Keys {
    /// Sets whether a walk is active. Its movement keys are not shortcuts.
    pub fn set_walking(ctx: &Context, walking: bool) {
        let _ = ctx.with_plugin(|keys: &mut Self| keys.walking = walking);
    }

    /// Sets whether the start page is open. Its controls get the keys that move the focus and press.
    pub fn set_start_page(ctx: &Context, open: bool) {
        let _ = ctx.with_plugin(|keys: &mut Self| keys.on_start_page = open);
    }

    /// The movement keys that are held: W is the key where a keyboard of the USA has its W.
    pub fn held(ctx: &Context) -> BTreeSet<Key> {
        let held = ctx.with_plugin(|keys: &mut Self| keys.held.clone());
        held.unwrap_or_default()
    }

    /// Sets whether a prompt is open. It gets all keys.
    pub fn set_prompt_open(ctx: &Context, open: bool) {
        let _ = ctx.with_plugin(|keys: &mut Self| keys.prompt_open = open);
    }
}

/// The movement keys of a walk.
const WALK_KEYS: [Key; 6] = [Key::W, Key::A, Key::S, Key::D, Key::E, Key::Q];

/// Keys that move the focus between the controls, and press the one that has it.
const FOCUS_KEYS: [Key; 7] = [
    Key::Tab,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::ArrowUp,
    Key::ArrowDown,
    Key::Space,
    Key::Escape,
];

impl Plugin for Keys {
    fn debug_name(&self) -> &'static str {
        "hitstop keys"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        self.hold(input);
        if self.prompt_open {
            return;
        }
        let typing = ctx.text_edit_focused();
        let menu = egui::Popup::is_any_open(ctx);
        let focused = ctx.memory(|memory| memory.focused().is_some());
        // The movement keys also fly the view while the right button is held.
        let flying = ctx.input(|input| input.pointer.secondary_down());
        let walking = (self.walking || flying) && !typing;
        let in_label = ctx.with_plugin(|labels: &mut LabelSelectionState| labels.has_selection());
        let in_label = in_label.unwrap_or_default();
        let (pressed, on_start_page) = (&mut self.pressed, self.on_start_page);
        input.events.retain(|event| {
            if !typing && !menu {
                let objects = match event {
                    // egui copies the text.
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
                physical_key,
                pressed: down,
                repeat,
                modifiers,
            } = event
            else {
                return true;
            };
            let plain = !modifiers.command && !modifiers.alt;
            if walking && plain && WALK_KEYS.contains(&physical_key.unwrap_or(*key)) {
                return true;
            }
            let key = by_place(key, *physical_key);
            let Some(entry) = entry_of(*key, *modifiers) else {
                return true;
            };
            let is_open = focused || (on_start_page && *key != Key::Escape);
            let moves_focus = plain && is_open && FOCUS_KEYS.contains(key);
            if menu || moves_focus || (typing && !works_while_typing(*key, *modifiers)) {
                return true;
            }
            if *down && (!repeat || entry.command.repeats()) {
                pressed.push(entry.command.for_shortcut());
            }
            false
        });
    }
}

impl Keys {
    /// Notes which movement keys are held.
    fn hold(&mut self, input: &RawInput) {
        for event in &input.events {
            match event {
                Event::Key {
                    key,
                    physical_key,
                    pressed,
                    ..
                } => {
                    let place = physical_key.unwrap_or(*key);
                    if *pressed && WALK_KEYS.contains(&place) {
                        self.held.insert(place);
                    } else {
                        self.held.remove(&place);
                    }
                }
                Event::WindowFocused(false) => self.held.clear(),
                _ => {}
            }
        }
    }
}

/// The key as shortcuts name it: the two beside P by their place, as on other keyboards there are letters or other signs.
fn by_place(key: &Key, place: Option<Key>) -> &Key {
    match place {
        Some(Key::OpenBracket) => &Key::OpenBracket,
        Some(Key::CloseBracket) => &Key::CloseBracket,
        _ => key,
    }
}

/// The command of a key with these modifiers.
fn entry_of(key: Key, modifiers: Modifiers) -> Option<&'static Entry> {
    TABLE
        .iter()
        .find(|entry| entry.keys.iter().any(|keys| matches(*keys, key, modifiers)))
}

/// Returns true if the key has exactly these modifiers. Shift is ignored for characters that need it on some keyboards.
fn matches(keys: KeyboardShortcut, key: Key, modifiers: Modifiers) -> bool {
    let shifted_sign = matches!(key, Key::Questionmark | Key::Plus | Key::Equals);
    keys.logical_key == key
        && keys.modifiers.alt == modifiers.alt
        && keys.modifiers.command == modifiers.command
        && (shifted_sign || keys.modifiers.shift == modifiers.shift)
}

/// Returns true for keys that text fields do not use: function keys, and most keys with Ctrl (Cmd).
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
    fn text_fields_keep_the_keys_they_use() {
        assert!(!works_while_typing(Key::Space, Modifiers::NONE));
        assert!(!works_while_typing(Key::F, Modifiers::SHIFT));
        assert!(works_while_typing(Key::F, Modifiers::COMMAND));
        assert!(works_while_typing(Key::F5, Modifiers::NONE));
    }
}
