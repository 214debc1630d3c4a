//! The CPU time of one frame of the window on its own thread, by the number of objects: all work of the program for a pass
//! (panels, picking, draw lists, tessellation), and with it what wgpu does to upload and record it. The last column is the
//! time of all threads until the picture is finished, which on a machine without a GPU is mostly that of Mesa's drivers.
//!
//! Other numbers of objects may be given; `mesh` is a level with a mesh of a million triangles, `findings` one of 10,000 findings.
//! The path of a recording may be given: it prints when its first picture, its last frame and its findings are shown, the time of
//! a pass until then, and how long the window takes to show frames from anywhere in it. Then it is opened again.

use cpu_time::ThreadTime;
use eframe::egui_wgpu::{
    RenderState, RendererOptions, ScreenDescriptor, WgpuConfiguration, WgpuSetup,
};
use eframe::wgpu;
use egui::{
    Context, Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, RawInput,
    Rect, TouchPhase, pos2, vec2,
};
use hitstop::app::apply::apply;
use hitstop::app::command::Command;
use hitstop::app::files::Settings;
use hitstop::app::source::Source;
use hitstop::app::viewport::{DeviceError, Viewports};
use hitstop::app::{App, setup};
use hitstop::core::edit::Edit;
use hitstop::core::file::CacheFolder;
use hitstop::core::replay::Frame;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const SIZE: egui::Vec2 = vec2(1440.0, 900.0);
/// In the middle of the viewport.
const PICTURE: Pos2 = pos2(640.0, 330.0);
/// In the middle of the list of findings.
const LIST: Pos2 = pos2(150.0, 400.0);
const WARM: usize = 10;
const PASSES: usize = 40;

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

/// Balls that all go through one wall, a finding each.
fn findings_level(balls: usize) -> String {
    let mut seeded = hitstop_benches::Seeded::new(balls as u64);
    let mut text = "Scene(version: 1, name: \"findings\", dt: 0.015625, frames: 40, response: Ignore, objects: [
        (name: \"wall\", shape: Box(half_extents: (0.1, 80.0, 80.0)), motion: Fixed),"
        .to_owned();
    for index in 0..balls {
        let (y, z) = (index / 100, index % 100);
        let (x, speed) = (seeded.range(-40.0, -2.0), seeded.range(100.0, 200.0));
        let (y, z) = (1.5 * y as f64 - 75.0, 1.5 * z as f64 - 75.0);
        let _ = write!(
            text,
            "(name: \"ball {index}\", shape: Sphere(radius: 0.15), position: ({x:?}, {y:?}, {z:?}), velocity: ({speed:?}, 0.0, 0.0)),"
        );
    }
    text.push_str("])");
    text
}

/// A ball over hills of a million triangles, whose file is written beside.
fn mesh_level(folder: &Path) -> String {
    const SIDE: usize = 708;
    let mut seeded = hitstop_benches::Seeded::new(1);
    let mut obj = String::new();
    for index in 0..SIDE * SIDE {
        let (x, z) = (index % SIDE, index / SIDE);
        let hill = (x as f64 * 0.05).sin() * (z as f64 * 0.04).cos() * 4.0;
        let y = hill + seeded.range(0.0, 0.1);
        let _ = writeln!(obj, "v {} {y} {}", x as f64 - 354.0, z as f64 - 354.0);
    }
    for z in 1..SIDE {
        for x in 1..SIDE {
            let [a, b] = [(z - 1) * SIDE + x, (z - 1) * SIDE + x + 1];
            let [c, d] = [a + SIDE, b + SIDE];
            let _ = writeln!(obj, "f {a} {c} {b}\nf {b} {c} {d}");
        }
    }
    std::fs::write(folder.join("hills.obj"), obj).expect("the mesh is written");
    "Scene(version: 1, name: \"hills\", dt: 0.015625, frames: 8, response: Ignore, objects: [
        (name: \"hills\", shape: Mesh(file: \"hills.obj\"), motion: Fixed),
        (name: \"ball\", shape: Sphere(radius: 1.0), position: (0.0, 20.0, 0.0), velocity: (30.0, 0.0, 0.0)),
    ])"
    .to_owned()
}

/// The window of one level, without a display.
struct Window {
    ctx: Context,
    app: App,
    time: f64,
    gpu: Option<Gpu>,
}

/// Draws the window as eframe does, into an image of its own.
struct Gpu {
    state: RenderState,
    target: wgpu::TextureView,
}

impl Gpu {
    /// `None` without a graphics adapter.
    fn new() -> Option<Self> {
        let wgpu_setup = WgpuSetup::without_display_handle();
        let instance = pollster::block_on(wgpu_setup.new_instance());
        let config = WgpuConfiguration {
            wgpu_setup,
            ..WgpuConfiguration::default()
        };
        let options = RendererOptions::default();
        let state = RenderState::create(&config, &instance, None, options);
        let state = pollster::block_on(state).ok()?;
        let target = state.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: SIZE.x as u32,
                height: SIZE.y as u32,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: state.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let target = target.create_view(&wgpu::TextureViewDescriptor::default());
        Some(Self { state, target })
    }

    fn draw(&self, output: &mut egui::FullOutput, meshes: &[egui::ClippedPrimitive]) {
        let RenderState { device, queue, .. } = &self.state;
        let mut renderer = self.state.renderer.write();
        for (id, images) in output.textures_delta.set.drain() {
            for image in images {
                renderer.update_texture(device, queue, id, &image);
            }
        }
        let screen = ScreenDescriptor {
            size_in_pixels: [SIZE.x as u32, SIZE.y as u32],
            pixels_per_point: output.pixels_per_point,
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let others = renderer.update_buffers(device, queue, &mut encoder, meshes, &screen);
        let attachment = wgpu::RenderPassColorAttachment {
            view: &self.target,
            resolve_target: None,
            ops: wgpu::Operations::default(),
            depth_slice: None,
        };
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(attachment)],
                ..wgpu::RenderPassDescriptor::default()
            })
            .forget_lifetime();
        renderer.render(&mut pass, meshes, &screen);
        drop(pass);
        queue.submit(others.into_iter().chain([encoder.finish()]));
    }

    fn wait(&self) {
        let done = self.state.device.poll(wgpu::PollType::wait_indefinitely());
        done.expect("the picture is finished");
    }
}

impl Window {
    fn open(path: &Path, gpu: Option<Gpu>) -> Self {
        let mut window = Self::new(path, gpu, None);
        let begun = Instant::now();
        while window.app.model.session.is_none() || window.app.model.diagnosing().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(600), "not opened");
            window.pass(Vec::new());
            thread::sleep(Duration::from_millis(5));
        }
        for _ in 0..60 {
            window.pass(Vec::new());
            // Large meshes are made in the background.
            thread::sleep(Duration::from_millis(50));
        }
        window
    }

    /// A window that begins to read a level.
    fn new(path: &Path, gpu: Option<Gpu>, cache: Option<CacheFolder>) -> Self {
        let ctx = Context::default();
        setup(&ctx);
        let mut settings = Settings::default();
        settings.hints_seen = true;
        settings.cache = cache;
        let source = Some(Source::File(path.to_owned()));
        let viewport = gpu
            .as_ref()
            .map(|gpu| Viewports::new(&gpu.state, &ctx, DeviceError::default()));
        let app = App::new(&ctx, settings, source, viewport.unwrap_or_default());
        Self {
            ctx,
            app,
            time: 0.0,
            gpu,
        }
    }

    /// The shown frame.
    fn frame(&self) -> Arc<Frame> {
        let document = self.app.model.document().expect("it is open");
        Arc::clone(document.frame())
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
        let shapes = std::mem::take(&mut output.shapes);
        let meshes = self.ctx.tessellate(shapes, output.pixels_per_point);
        match &self.gpu {
            Some(gpu) => gpu.draw(&mut output, &meshes),
            None => drop(std::hint::black_box(meshes)),
        }
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
    Scrolling,
    Filtering,
    Dragging,
}

impl Doing {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Nothing, "nothing"),
        (Self::Time, "time passes"),
        (Self::Pointing, "pointing"),
        (Self::Turning, "turning"),
        (Self::Scrolling, "scrolling the findings"),
        (Self::Filtering, "filtering the findings"),
        (Self::Dragging, "dragging an object"),
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
            Self::Scrolling => vec![
                Event::PointerMoved(LIST),
                Event::MouseWheel {
                    unit: MouseWheelUnit::Point,
                    delta: vec2(0.0, if number % 40 < 30 { -200.0 } else { 600.0 }),
                    phase: TouchPhase::Move,
                    source: MouseWheelSource::Wheel,
                    modifiers: Modifiers::NONE,
                },
            ],
            Self::Filtering => {
                let filter = match number + 1 == WARM + PASSES {
                    true => String::new(),
                    false => format!("ball {}", number % 10),
                };
                apply(&mut window.app.model, Command::FilterFindings(filter));
                vec![Event::PointerGone]
            }
            Self::Dragging if number == 0 => {
                vec![Event::PointerMoved(PICTURE), press(PICTURE, true)]
            }
            Self::Dragging if number + 1 == WARM + PASSES => vec![press(PICTURE, false)],
            Self::Dragging => {
                drag_first_object(window, 0.01 * number as f64);
                Vec::new()
            }
        }
    }
}

/// Moves the first object to this height, as its handle does.
fn drag_first_object(window: &mut Window, height: f64) {
    let scene = &window.app.model.scene_doc().expect("a scene is open").scene;
    let mut object = scene.objects[0].clone();
    object.pose.position.y = height;
    let edit = Edit::Objects("Move", vec![(0, object)]);
    apply(&mut window.app.model, Command::Edit(edit));
}

fn press(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

/// The medians over the passes of the thread's processor time, and of the time that passes until the image is finished, milliseconds.
fn medians(window: &mut Window, doing: Doing) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for number in 0..WARM + PASSES {
        let (begun, thread) = (Instant::now(), ThreadTime::now());
        let events = doing.events(window, number);
        window.pass(events);
        let on_thread = thread.elapsed();
        if let Some(gpu) = &window.gpu {
            gpu.wait();
        }
        if number >= WARM {
            times[0].push(on_thread.as_secs_f64() * 1e3);
            times[1].push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn measure(name: &str, path: &Path) {
    let mut finished = None;
    for (drawn, viewports) in [(false, 1), (true, 1), (true, 2)] {
        let gpu = drawn.then(Gpu::new).flatten();
        if drawn && gpu.is_none() {
            println!("no graphics adapter: not measured with wgpu");
            continue;
        }
        let mut window = Window::open(path, gpu);
        if viewports == 2 {
            apply(&mut window.app.model, Command::ToggleSplitView);
        }
        let renderer = match (drawn, viewports) {
            (false, _) => "none",
            (true, 1) => "wgpu",
            _ => "wgpu, two viewports",
        };
        print!("| {name} | {renderer} |");
        for (doing, _) in Doing::ALL {
            let [thread, whole] = medians(&mut window, doing);
            print!(" {thread:.2} |");
            if matches!(doing, Doing::Turning) {
                finished = Some(whole);
            }
        }
        println!(" {:.0} |", finished.unwrap_or_default());
    }
}

/// Opens a recording; prints what a user waits for, and what a pass costs meanwhile.
fn measure_reading(path: &Path, cache: &CacheFolder) {
    let mut window = Window::new(path, None, Some(cache.clone()));
    let begun = Instant::now();
    let (mut first, mut read, mut passes) = (None, None, Vec::new());
    loop {
        let thread = ThreadTime::now();
        window.pass(Vec::new());
        passes.push(thread.elapsed().as_secs_f64() * 1e3);
        let model = &window.app.model;
        let now = begun.elapsed().as_secs_f64();
        if model.session.is_some() {
            first.get_or_insert(now);
            if model.loading().is_none() {
                read.get_or_insert(now);
                if model.diagnosing().is_none() && model.shown_jobs().next().is_none() {
                    break;
                }
            }
        }
        thread::sleep(Duration::from_millis(10));
    }
    let whole = begun.elapsed().as_secs_f64();
    println!(
        "first picture {:.2} s, last frame {:.2} s, diagnosed and kept {whole:.2} s",
        first.unwrap_or_default(),
        read.unwrap_or_default()
    );
    print_times("a pass until then", passes);
    let frames = window
        .app
        .model
        .document()
        .expect("it is open")
        .replay()
        .frames();
    let mut seeded = hitstop_benches::Seeded::new(1);
    let (mut shown, mut swept, mut passes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..100 {
        let frame = seeded.range(0.0, f64::from(frames)) as u32;
        let begun = Instant::now();
        let seek = Command::Seek {
            frame,
            fraction: 0.5,
        };
        apply(&mut window.app.model, seek);
        let mut is_shown = false;
        loop {
            let thread = ThreadTime::now();
            window.pass(Vec::new());
            passes.push(thread.elapsed().as_secs_f64() * 1e3);
            let now = begun.elapsed().as_secs_f64() * 1e3;
            let in_picture = window.frame();
            if !is_shown && in_picture.number == frame {
                shown.push(now);
                is_shown = true;
            }
            if is_shown && in_picture.is_swept() {
                swept.push(now);
                break;
            }
            // Passes that only animate the window are left out.
            while Arc::ptr_eq(&in_picture, &window.frame()) {
                thread::sleep(Duration::from_micros(100));
                window.app.model.poll();
            }
        }
    }
    print_times("a pass meanwhile", passes);
    print_times("a frame from anywhere: its bodies are shown after", shown);
    print_times(
        "a frame from anywhere: its candidates and sweeps are shown after",
        swept,
    );
}

fn print_times(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[(share * (times.len() - 1) as f64) as usize];
    println!(
        "{what}, milliseconds: median {:.2}, 99 % {:.2}, longest {:.2}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the levels");
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if let Some(path) = named.iter().map(Path::new).find(|path| path.is_file()) {
        let cache = CacheFolder::new(folder.path().to_owned(), u64::MAX);
        measure_reading(path, &cache);
        println!("opened again:");
        return measure_reading(path, &cache);
    }
    println!("CPU time of a frame of the window, milliseconds (median of {PASSES} passes)\n");
    print!("| objects | renderer |");
    for (_, name) in Doing::ALL {
        print!(" {name} |");
    }
    println!(
        " turning, until the image is finished |\n{}|",
        "|---".repeat(10)
    );
    let levels = match named.is_empty() {
        true => ["1000", "10000", "100000", "mesh", "findings"]
            .map(str::to_owned)
            .to_vec(),
        false => named,
    };
    for name in levels {
        let path = folder.path().join(format!("{name}.ron"));
        let text = match name.parse() {
            Ok(objects) => level(objects),
            Err(_) if name == "findings" => findings_level(10_000),
            Err(_) => mesh_level(folder.path()),
        };
        std::fs::write(&path, text).expect("the level is written");
        measure(&name, &path);
    }
}
