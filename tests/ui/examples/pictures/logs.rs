//! The logs of the pictures of docs/guide.md.

/// Balls that fall at 30 m/s onto two thin roofs and a floor, at 30 frames a second.
pub fn rain() -> String {
    let fixed = |id: usize, name: &str, at: [f64; 3], half: [f64; 3]| {
        format!(
            r#"{{"id": {id}, "name": "{name}", "motion": "fixed", "shape": {{"box": {{"half_extents": {half:?}}}}}, "position": {at:?}}}"#
        )
    };
    let mut objects = vec![
        fixed(0, "floor", [0.0, -0.1, 0.0], [12.0, 0.1, 12.0]),
        fixed(1, "tin roof", [-5.0, 4.0, 0.0], [4.0, 0.02, 6.0]),
        fixed(2, "shed roof", [6.0, 3.0, 2.0], [3.0, 0.1, 4.0]),
    ];
    // Points of a low-discrepancy sequence.
    let place = |index: usize, step: f64| 22.0 * (index as f64 * step).fract() - 11.0;
    let balls: Vec<_> = (0..300)
        .map(|index| {
            let height = 6.0 + 47.3 * (index as f64 * 0.38).fract();
            (place(index, 0.7549), height, place(index, 0.5698))
        })
        .collect();
    let ball = |index| {
        format!(
            r#"{{"id": {}, "name": "drop {index}", "shape": {{"sphere": {{"radius": 0.15}}}}}}"#,
            index + 3
        )
    };
    objects.extend((0..balls.len()).map(ball));
    let mut lines = vec![format!(
        r#"{{"hitstop": 1, "dt": {}, "objects": [{}]}}"#,
        1.0 / 30.0,
        objects.join(", ")
    )];
    for frame in 0..60 {
        let fallen = f64::from(frame);
        let pose = |(index, &(x, y, z)): (usize, &(f64, f64, f64))| {
            format!(
                r#"{{"id": {}, "p": [{x:.3}, {:.4}, {z:.3}]}}"#,
                index + 3,
                y - fallen
            )
        };
        let bodies: Vec<_> = balls.iter().enumerate().map(pose).collect();
        lines.push(format!(
            r#"{{"frame": {frame}, "bodies": [{}]}}"#,
            bodies.join(", ")
        ));
    }
    lines.join("\n")
}

/// A character that walks at 3 m/s to a kerb of 0.35 m; its controller climbs 0.3 m.
pub fn walk() -> String {
    let fixed = |id: usize, name: &str, at: [f64; 3], half: [f64; 3]| {
        format!(
            r#"{{"id": {id}, "name": "{name}", "motion": "fixed", "shape": {{"box": {{"half_extents": {half:?}}}}}, "position": {at:?}}}"#
        )
    };
    let objects = [
        fixed(0, "path", [0.0, -0.1, 0.0], [4.0, 0.1, 2.0]),
        fixed(1, "kerb", [3.0, 0.175, 0.0], [1.0, 0.175, 2.0]),
        r#"{"id": 2, "name": "player", "motion": "kinematic", "shape": {"capsule": {"half_height": 0.6, "radius": 0.3}}}"#.to_owned(),
    ];
    let mut text = format!(
        r#"{{"hitstop": 1, "dt": 0.025, "gravity": [0, -9.81, 0], "objects": [{}]}}"#,
        objects.join(", ")
    );
    let place = |frame: f64| (-0.5 + 0.075 * frame).min(1.69);
    for frame in 0..50_u32 {
        let (from, to) = (place(f64::from(frame) - 1.0), place(f64::from(frame)));
        let (is_stopped, made) = (
            to == 1.69,
            format!(r#""from": [{from}, 0.91, 0], "wish": [0.075, 0, 0], "to": [{to}, 0.91, 0]"#),
        );
        let hit = match is_stopped {
            true => r#"{"id": 1, "normal": [-1, 0, 0], "point": [2, 0.33, 0]}"#,
            false => "null",
        };
        let limits =
            r#""grounded": true, "max_slope": 45, "max_step": 0.3, "snap": 0.2, "skin": 0.01"#;
        let ground = format!(
            r#"{{"kind": "ray", "tag": "ground", "id": 2, "from": [{to}, 0.91, 0], "to": [{to}, -0.2, 0], "hit": {{"id": 0, "fraction": {}}}}}"#,
            0.91 / 1.11
        );
        let state = if is_stopped { "blocked" } else { "walking" };
        text += &format!(
            r#"
{{"frame": {frame}, "bodies": [{{"id": 2, "p": [{to}, 0.91, 0]}}], "queries": [{ground}], "values": [{{"name": "state", "id": 2, "text": "{state}"}}, {{"name": "tick", "value": {frame}}}], "moves": [{{"id": 2, {made}, {limits}, "sweeps": [{{"kind": "slide", {made}, "hit": {hit}}}, {{"kind": "snap", "from": [{to}, 0.91, 0], "to": [{to}, 0.91, 0], "hit": {{"id": 0, "normal": [0, 1, 0]}}}}]}}]}}"#
        );
    }
    text
}

/// A car that drives at 10 m/s over a gap of 1.5 m in a road, and a barrel that falls into it. One ray of a wheel misses the road, which is there.
pub fn drive() -> String {
    let road = |id: usize, name: &str, x: f64, half: f64| {
        format!(
            r#"{{"id": {id}, "name": "{name}", "motion": "fixed", "layer": 2, "shape": {{"box": {{"half_extents": [{half}, 0.2, 3]}}}}, "position": [{x}, -0.2, 0]}}"#
        )
    };
    let objects = [
        road(0, "road", -3.0, 6.0),
        road(1, "far road", 10.5, 6.0),
        r#"{"id": 2, "name": "car", "layer": 1, "shape": {"box": {"half_extents": [0.9, 0.3, 0.6]}}}"#.to_owned(),
        r#"{"id": 3, "name": "barrel", "layer": 1, "shape": {"sphere": {"radius": 0.3}}}"#
            .to_owned(),
    ];
    let mut text = format!(
        r#"{{"hitstop": 1, "dt": 0.02, "gravity": [0, -9.81, 0], "objects": [{}]}}"#,
        objects.join(", ")
    );
    for frame in 0..90_u32 {
        let x = -6.0 + 0.2 * f64::from(frame);
        let fallen = f64::from(frame.saturating_sub(9)) * 0.02;
        let barrel = 0.3 - 0.5 * 9.81 * fallen * fallen;
        let wheel = |name: &str, at: f64| {
            let x = x + at;
            let is_over = (-9.0..=3.0).contains(&x).then_some(0);
            let under = is_over.or((4.5..=16.5).contains(&x).then_some(1));
            // Once, the engine lost the road below the rear wheel.
            let under = under.filter(|_| !(name == "wheel rear" && frame == 30));
            let hit = under.map_or("null".to_owned(), |id| {
                format!(r#"{{"id": {id}, "fraction": 0.8}}"#)
            });
            format!(
                r#"{{"kind": "ray", "tag": "{name}", "id": 2, "from": [{x:.2}, 0.4, 0], "to": [{x:.2}, -0.1, 0], "mask": 2, "hit": {hit}}}"#
            )
        };
        let sight = format!(
            r#"{{"kind": "ray", "tag": "sight", "id": 2, "from": [{x:.2}, 0.4, 0], "to": [{:.2}, 0.1, 0], "mask": 2, "hit": null}}"#,
            x + 12.0
        );
        let mut queries = vec![wheel("wheel front", 0.7), wheel("wheel rear", -0.7)];
        queries.extend((frame == 2).then_some(sight));
        let lost = !(-9.0..=3.0).contains(&(x + 0.7)) && x + 0.7 < 4.5;
        let state = if lost {
            "front wheel in the air"
        } else {
            "driving"
        };
        let said = match (frame, lost) {
            (0, _) => r#", "log": ["level loaded"]"#,
            (49, _) => {
                r#", "log": [{"text": "landed hard: 3.1 kN at the front axle", "id": 2, "level": "warning"}]"#
            }
            (31, _) => r#", "log": [{"text": "no traction", "id": 2, "level": "warning"}]"#,
            _ => "",
        };
        text += &format!(
            r#"
{{"frame": {frame}, "bodies": [{{"id": 2, "p": [{x:.2}, 0.35, 0]}}, {{"id": 3, "p": [3.75, {barrel:.4}, 0]}}], "queries": [{}], "values": [{{"name": "state", "id": 2, "text": "{state}"}}, {{"name": "throttle", "value": {:.2}}}]{said}}}"#,
            queries.join(", "),
            if lost { 0.4 } else { 0.85 }
        );
    }
    text
}

/// A cart that rolls at 2 m/s against a crate, which hits a ball, each with its logged contact.
pub fn pushes() -> String {
    let object = |id: usize, name: &str, shape: &str| {
        format!(r#"{{"id": {id}, "name": "{name}", "shape": {shape}}}"#)
    };
    let cube = r#"{"box": {"half_extents": [0.5, 0.5, 0.5]}}"#;
    let objects = [
        object(0, "cart", cube),
        object(1, "crate", cube),
        object(2, "ball", r#"{"sphere": {"radius": 0.5}}"#),
    ];
    let mut text = format!(
        r#"{{"hitstop": 1, "dt": 0.05, "gravity": [0, 0, 0], "objects": [{}]}}"#,
        objects.join(", ")
    );
    // The first frame in which each moves, its place before and its speed from then on.
    let moves = [(0, -2.0, 2.0), (10, 0.0, 1.5), (30, 2.5, 1.2)];
    for frame in 0..50_u32 {
        let body = |(id, (from, at, speed)): (usize, &(u32, f64, f64))| {
            // The cart stops at the crate.
            let until = if id == 0 { frame.min(10) } else { frame };
            let moved = f64::from(until.saturating_sub(*from)) * 0.05 * speed;
            let now = match frame {
                _ if frame < *from || id == 0 && frame >= 10 => 0.0,
                _ => *speed,
            };
            format!(
                r#"{{"id": {id}, "p": [{:.3}, 0, 0], "v": [{now}, 0, 0]}}"#,
                at + moved
            )
        };
        let bodies: Vec<String> = moves.iter().enumerate().map(body).collect();
        let contact = |a: usize, x: f64| {
            format!(
                r#"[{{"a": {a}, "b": {}, "point": [{x}, 0, 0], "normal": [1, 0, 0], "depth": 0}}]"#,
                a - 1
            )
        };
        let contacts = match frame {
            10 => contact(1, -0.5),
            30 => contact(2, 2.0),
            _ => "[]".to_owned(),
        };
        text += &format!(
            "\n{{\"frame\": {frame}, \"bodies\": [{}], \"contacts\": {contacts}}}",
            bodies.join(", ")
        );
    }
    text
}
