//! Broken, hostile and careless input: every answer is an error that names the place, and nothing panics.

use hitstop::core::problem::Problems;
use hitstop::core::scene::{self, MemoryFolder, Scene};

/// The example of the file format's documentation.
const EXAMPLE: &str = r##"Scene(
    version: 1,
    name: "Bullet through paper",
    notes: "Free text; shown when the scene opens.",
    units: (length: 1.0, up: Y),             // metres per unit; X | Y | Z
    dt: 0.016666666666666666,                // seconds per frame
    frames: 60,                              // length of the timeline
    gravity: (0.0, 0.0, 0.0),
    detection: Overlap,                      // Overlap (at frame ends) | Sweep (continuous)
    response: Push,                          // Ignore | Push | Slide | Stop | Bounce(restitution: 1.0)
    objects: [
        (name: "bullet", shape: Sphere(radius: 0.05), position: (-5.0, 1.0, 0.0), velocity: (400.0, 0.0, 0.0)),
        (name: "paper", shape: Box(half_extents: (0.005, 1.0, 1.0)), position: (0.0, 1.0, 0.0), motion: Fixed),
        (name: "room", shape: Mesh(file: "meshes/room.obj", facing: Front), motion: Fixed),
        (name: "lift", shape: Box(half_extents: (1.0, 0.1, 1.0)), rotation: Euler(y: 45.0),
         motion: Keyframes([(frame: 0, position: (0.0, 0.0, 0.0)), (frame: 60, position: (0.0, 3.0, 0.0))])),
    ],
    camera: (position: (0.0, 1.6, 8.0), look_at: (0.0, 1.0, 0.0), motion: Velocity((0.0, 0.0, -2.0)),
             probe: Standard, near: 0.1, fov: 60.0, aspect: 1.7777),
    bookmarks: [(frame: 12, fraction: 0.4, note: "clips the corner")],
    expect: [
        Hit(a: "bullet", b: "paper", frame: 0, fraction: 0.7417, tolerance: 1e-4),
        Finds(kind: Tunnels, cause: C01, a: "bullet", b: "paper", frame: 0),
        Position(object: "bullet", frame: 1, is: (1.6667, 1.0, 0.0), tolerance: 1e-3),
        NoFindings, NoFindings(), NoFindings(kind: Clips), /* bare, too */ NoFindings // and last
    ],
)
"##;

const ROOM: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n";

fn folder() -> MemoryFolder {
    let mut folder = MemoryFolder::default();
    folder
        .files
        .insert("meshes/room.obj".to_owned(), ROOM.as_bytes().to_vec());
    folder
}

fn parse(text: &str) -> Result<Scene, Problems> {
    scene::parse(text, "test.ron", &folder())
}

#[test]
fn the_documented_example_reads_and_comes_back() {
    let scene = parse(EXAMPLE).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(scene.objects.len(), 4);
    assert_eq!(scene.expect.len(), 7);
    let text = scene::write(&scene);
    let again = parse(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    assert_eq!(again, scene, "{text}");
    assert_eq!(scene::write(&again), text);
}
