//! The CPU time of one frame of the window, by the number of objects: all work of the program on its own thread for a
//! pass (panels, picking, the draw list, tessellation), without a renderer; and the additional time of the rasteriser
//! where there is no GPU.

use cpu_time::{ProcessTime, ThreadTime};
use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};
use hitstop::app::apply::apply;
use hitstop::app::command::Command;
use hitstop::app::files::Settings;
use hitstop::app::source::Source;
use hitstop::app::viewport::Viewport;
use hitstop::app::{App, setup};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

const SIZE: egui::Vec2 = vec2(1440.0, 900.0);
/// In the middle of the viewport.
const PICTURE: Pos2 = pos2(640.0, 330.0);
const WARM: usize = 10;
const PASSES: usize = 60;

/// Moving balls and boxes in a lattice; few ever collide.
fn level(objects: usize) -> String {
    let mut seeded = hitstop_benches::Seeded::new(objects as u64);
    let side = (objects as f64).cbrt().ceil() as usize;
    let mut text = format!(
        "Scene(version: 1, name: \"{objects} objects\", dt: 0.015625, frames: 8, response: Ignore, objects: ["
    );
    for index in 0..objects {
        let place = |at: usize| 2.0 * at as f64 - side as f64;
        let (x, y, z) = (index % side, index / side % side, index / side / side);
        let v = seeded.vector(4.0);
        let shape = if index % 2 == 0 {
            "Sphere(radius: 0.4)"
        } else {
            "Box(half_extents: (0.3, 0.3, 0.3))"
        };
        let (x, y, z) = (place(x), place(y), place(z));
        let _ = write!(
            text,
            "(name: \"object {index}\", shape: {shape}, position: ({x:?}, {y:?}, {z:?}), velocity: ({:?}, {:?}, {:?})),",
            v.x, v.y, v.z
        );
    }
    text.push_str("])");
    text
}

/// The window of one level, without a display.
struct Window {
    ctx: Context,
    app: App,
    time: f64,
}

impl Window {
    fn open(path: &Path, viewport: Viewport) -> Self {
        let ctx = Context::default();
        setup(&ctx);
        let mut settings = Settings::default();
        settings.hints_seen = true;
        let source = Some(Source::File(path.to_owned()));
        let app = App::new(&ctx, settings, source, viewport);
        let mut window = Self {
            ctx,
            app,
            time: 0.0,
        };
        let begun = Instant::now();
        while window.app.model.session.is_none() || window.app.model.diagnosing().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(600), "not opened");
            window.pass(Vec::new());
            std::thread::sleep(Duration::from_millis(5));
        }
        for _ in 0..60 {
            window.pass(Vec::new());
        }
        window
    }

    fn pass(&mut self, events: Vec<Event>) {
        self.time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.time),
            events,
            focused: true,
            ..RawInput::default()
        };
        let mut output = self.ctx.run_ui(input, |ui| self.app.ui(ui));
        let meshes = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        std::hint::black_box(meshes);
        output.textures_delta.clear();
    }
}

/// Input of the user from pass to pass.
#[derive(Clone, Copy)]
enum Doing {
    Nothing,
    Time,
    Pointing,
    Turning,
}

impl Doing {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Nothing, "nothing"),
        (Self::Time, "time passes"),
        (Self::Pointing, "pointing"),
        (Self::Turning, "turning"),
    ];

    fn events(self, window: &mut Window, number: usize) -> Vec<Event> {
        let at = PICTURE + vec2((number % 40) as f32 * 4.0, (number % 7) as f32 * 3.0);
        let moved = Event::PointerMoved(at);
        match self {
            Self::Nothing => vec![Event::PointerGone],
            Self::Time => {
                let fraction = number as f64 / (WARM + PASSES) as f64;
                let seek = Command::Seek { frame: 3, fraction };
                apply(&mut window.app.model, seek);
                vec![Event::PointerGone]
            }
            Self::Pointing => vec![moved],
            Self::Turning if number == 0 => vec![moved, press(at, true)],
            Self::Turning if number + 1 == WARM + PASSES => vec![press(at, false)],
            Self::Turning => vec![moved],
        }
    }
}

fn press(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

/// The median of one clock over the passes, milliseconds.
fn median(window: &mut Window, doing: Doing, clock: impl Fn() -> Duration) -> f64 {
    let mut times = Vec::new();
    for number in 0..WARM + PASSES {
        let events = doing.events(window, number);
        let begun = clock();
        window.pass(events);
        let passed = clock().saturating_sub(begun);
        if number >= WARM {
            times.push(passed.as_secs_f64() * 1e3);
        }
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the levels");
    println!("CPU time of a frame of the window, milliseconds (median of {PASSES} passes)\n");
    print!("| objects | renderer |");
    for (_, name) in Doing::ALL {
        print!(" {name} |");
    }
    println!("\n|---|---|---|---|---|---|");
    // Other numbers of objects may be given.
    let named: Vec<usize> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    let counts = match named.as_slice() {
        [] => &[1_000, 10_000, 100_000],
        named => named,
    };
    for &objects in counts {
        let path = folder.path().join(format!("{objects}.ron"));
        std::fs::write(&path, level(objects)).expect("the level is written");
        let mut window = Window::open(&path, Viewport::without_renderer());
        print!("| {objects} | none |");
        for (doing, _) in Doing::ALL {
            let now = || ThreadTime::now().as_duration();
            print!(" {:.2} |", median(&mut window, doing, now));
        }
        println!();
        drop(window);
        let mut window = Window::open(&path, Viewport::default());
        print!("| {objects} | rasteriser |");
        for (doing, _) in Doing::ALL {
            // It draws tiles in parallel on every core.
            let now = || ProcessTime::now().as_duration();
            print!(" {:.2} |", median(&mut window, doing, now));
        }
        println!();
    }
}
