//! Tuning a finding in the user's own build, which is a small program in sh here.

use super::game_log::log;
use super::window::*;
use hitstop::app::build_command::BuildCommand;

/// The log with the finding, which is selected, and the form for the command of a program.
fn asked(program: &str) -> Window {
    let mut window = Window::open(|folder| {
        write(folder, "good.jsonl", &log(false));
        write(folder, "game.sh", program);
        Some(Source::File(write(folder, "bad.jsonl", &log(true))))
    });
    window.until("the level is checked", |model| report(model).is_some());
    window.key(Key::Escape);
    window.key(Key::CloseBracket);
    assert!(window.model().selected_finding().is_some());
    window.click("Tune in my build…");
    window
}

/// Types into a field, which keeps what it has.
fn add(window: &mut Window, field: &str, text: &str) {
    let field = window.harness.get_by_role_and_label(Role::TextInput, field);
    field.focus();
    field.type_text(text);
    window.settle();
}

fn command(window: &Window) -> &BuildCommand {
    window.model().build_command().expect("it is asked for")
}

fn run(window: &mut Window) {
    window.click("Run");
    assert!(window.model().jobs.is_running(JobKind::Tune));
}

fn tuned(window: &mut Window) -> String {
    window.until("the runs are made", |model| {
        !model.jobs.is_running(JobKind::Tune)
    });
    window.texts().join("\n")
}

/// The program holds from 7 substeps on, by its own text, and starts elsewhere each time.
#[test]
fn a_finding_is_tuned_in_the_users_own_build() {
    let program = "if [ $1 -ge 7 ]; then from=good; else from=bad; fi; sed \"s/-2.3000/-2.30$$/\" $from.jsonl > \"$2\"";
    let mut window = asked(program);
    let folder = window.folder.path().display().to_string();
    assert_eq!(command(&window).folder, folder, "that of the log");
    window.click("Run");
    assert!(
        window.model().build_command().is_some(),
        "there is no command"
    );
    add(&mut window, "Command", "sh game.sh");
    window.click("{substeps}");
    add(&mut window, "Command", " \"{log}");
    assert!(window.has("a quotation mark is not closed"));
    add(&mut window, "Command", "\"");
    assert_eq!(command(&window).line, "sh game.sh {substeps} \"{log}\"");
    assert_eq!(command(&window).values["substeps"], "1..64");
    add(&mut window, "Values of substeps", "x");
    let texts = window.texts().join("\n");
    assert!(texts.contains("invalid range"), "{texts}");
    window.click("Run");
    assert!(window.model().build_command().is_some(), "a field is wrong");
    window.harness.get_by_label("Values of substeps").focus();
    window.key(Key::Backspace);
    window.key(Key::Enter);
    assert!(
        window.model().build_command().is_some(),
        "Enter ends the edit"
    );
    // 1 run for what is looked for, 16 of the first value, and two thirds of 16 for 7 halvings and 3 values beside the result.
    assert!(window.has("About 124 runs"));
    run(&mut window);
    let texts = tuned(&mut window);
    assert!(texts.contains("confirmed"), "{texts}");
    assert!(
        texts.contains("confirmed 7: 0 of 16") || texts.contains("\n7: 0 of 16\n"),
        "{texts}"
    );
    let sentence = "substeps 7: 0 of 16 runs have the finding (below 17.1 % at 95 %); one notch less, 6: 16 of 16 runs have the finding";
    assert!(texts.contains(sentence), "{texts}");

    // It is kept in the settings and shown again, and the log is as it was.
    let kept = &window.saved_settings().build_commands;
    assert_eq!(kept[0].line, "sh game.sh {substeps} \"{log}\"");
    let text = std::fs::read_to_string(window.folder.path().join("bad.jsonl"));
    assert_eq!(text.unwrap(), log(true));
    window.click("Tune in my build…");
    assert_eq!(command(&window), &kept[0]);
    window.key(Key::Escape);
    assert!(window.model().build_command().is_none());
    // The result is of this pair: it stays when the log is read again.
    window.key(Key::F5);
    window.until("the level is checked again", |model| {
        model.selected_finding().is_some() && report(model).is_some()
    });
    assert!(window.texts().join("\n").contains(sentence));
}

#[test]
fn commands_that_were_run_before_are_in_a_menu() {
    let mut window = asked("exit 3");
    assert!(!window.has("Earlier commands"), "there are none");
    let lines = [
        "sh game.sh {log}",
        "sh game.sh {log} 2",
        "sh game.sh {log} 23",
    ];
    for (line, before) in lines.iter().zip([""].iter().chain(&lines)) {
        add(&mut window, "Command", &line[before.len()..]);
        assert_eq!(command(&window).line, *line);
        run(&mut window);
        tuned(&mut window);
        window.click("Tune in my build…");
    }
    let kept = window.saved_settings().build_commands;
    let kept: Vec<_> = kept.iter().map(|one| &*one.line).collect();
    assert_eq!(kept, [lines[2], lines[1], lines[0]], "the latest first");
    window.click("Earlier commands");
    assert!(window.has(lines[1]));
    window.click(lines[0]);
    assert_eq!(command(&window).line, lines[0]);
    // It is shown first, and is not run.
    assert!(!window.model().jobs.is_running(JobKind::Tune));
    // One that was run again is not kept twice.
    run(&mut window);
    tuned(&mut window);
    let kept = window.saved_settings().build_commands;
    assert_eq!((kept.len(), &*kept[0].line), (3, lines[0]));
}

#[test]
fn runs_without_a_result_are_said_with_the_last_lines() {
    let program = "if [ $1 -ge 2 ]; then echo out of memory; exit 3; fi; cp bad.jsonl \"$2\"";
    let mut window = asked(program);
    add(&mut window, "Command", "sh game.sh {substeps} {log}");
    run(&mut window);
    let texts = tuned(&mut window);
    for wanted in [
        "it ended with exit status 3",
        "out of memory",
        "No value that was tried is without the finding in every run.",
    ] {
        assert!(texts.contains(wanted), "{wanted}: {texts}");
    }
    assert!(!texts.contains(": 0 of 0"), "{texts}");

    let mut window = asked("");
    add(&mut window, "Command", "./absent {log}");
    run(&mut window);
    let texts = tuned(&mut window);
    assert!(texts.contains("./absent cannot be run"), "{texts}");
}

/// A program that starts another one and waits: both are gone after Stop, and after the window is closed.
#[cfg(target_os = "linux")]
#[test]
fn stopping_and_quitting_end_the_program_and_its_children() {
    let program = "sleep 1000 & echo $! $$ > pids.tmp; mv pids.tmp pids; echo waits; wait";
    for quits in [false, true] {
        let mut window = asked(program);
        add(&mut window, "Command", "sh game.sh {substeps} {log}");
        run(&mut window);
        let pids = window.folder.path().join("pids");
        window.until("the program runs", move |_| pids.exists());
        let pids = std::fs::read_to_string(window.folder.path().join("pids")).unwrap();
        if quits {
            window.harness.state_mut().close();
        } else {
            let texts = window.texts().join("\n");
            assert!(texts.contains("first run: 0 of about "), "{texts}");
            window.click("Stop tuning");
            tuned(&mut window);
            assert!(window.has("Stopped: the rest is not known."));
        }
        for pid in pids.split_whitespace() {
            // A zombie has ended.
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            let ended = stat.map_or(true, |stat| stat.contains(") Z "));
            assert!(ended, "{pid} goes on, quits: {quits}");
        }
    }
}
