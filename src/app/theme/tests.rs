//! Tests of the contrast and the distinctness of the colours.

use super::contrast::{MIN_CONTRAST, contrast, linear};
use super::*;

/// A linear RGB colour as an eye perceives it.
fn perceived(eye: [[f64; 3]; 3], light: [f64; 3]) -> [f64; 3] {
    eye.map(|row| {
        let sum: f64 = row
            .iter()
            .zip(light)
            .map(|(weight, part)| weight * part)
            .sum();
        sum.clamp(0.0, 1.0)
    })
}

/// CIE L*a*b* under D65, from linear sRGB.
fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.950_47;
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.088_83;
    let f = |t: f64| {
        if t > 216.0 / 24389.0 {
            t.cbrt()
        } else {
            (24389.0 / 27.0 * t + 16.0) / 116.0
        }
    };
    let (x, y, z) = (f(x), f(y), f(z));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The CIE 1976 distance of two colours to an eye.
fn distance(eye: [[f64; 3]; 3], one: Color32, other: Color32) -> f64 {
    let [one, other] = [one, other].map(|color| {
        let light = [color.r(), color.g(), color.b()].map(linear);
        lab(perceived(eye, light))
    });
    let squares = one
        .iter()
        .zip(other)
        .map(|(one, other)| (one - other).powi(2));
    squares.sum::<f64>().sqrt()
}

const TRICHROMAT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Full protanopia, deuteranopia and tritanopia on linear sRGB (Machado, Oliveira and Fernandes 2009, severity 1.0).
const PROTANOPE: [[f64; 3]; 3] = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
];
const DEUTERANOPE: [[f64; 3]; 3] = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
];
const TRITANOPE: [[f64; 3]; 3] = [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.303900],
];
const EYES: [(&str, [[f64; 3]; 3]); 4] = [
    ("trichromat", TRICHROMAT),
    ("protanope", PROTANOPE),
    ("deuteranope", DEUTERANOPE),
    ("tritanope", TRITANOPE),
];
/// The least distance (CIE 1976) of colours that must differ; a just noticeable difference is about 2.3.
const MIN_DISTANCE: f64 = 12.0;

#[test]
fn colour_distances_have_their_known_values() {
    let white = lab([1.0; 3]);
    assert!((white[0] - 100.0).abs() < 0.01 && white[1].abs() < 0.02 && white[2].abs() < 0.02);
    assert!((distance(TRICHROMAT, Color32::BLACK, Color32::WHITE) - 100.0).abs() < 0.02);
    // sRGB red in L*a*b*: 53.24, 80.09, 67.20.
    let red = lab([1.0, 0.0, 0.0]);
    for (part, wanted) in red.iter().zip([53.24, 80.09, 67.20]) {
        assert!((part - wanted).abs() < 0.1, "{red:?}");
    }
    // Colour blindness does not change grey.
    for (name, eye) in EYES {
        let grey = perceived(eye, [0.3; 3]);
        assert!(grey.iter().all(|part| (part - 0.3).abs() < 1e-4), "{name}");
    }
}

fn assert_distinct(what: &str, colors: &[(String, Color32)]) {
    let mut similar = Vec::new();
    for (eye_name, eye) in EYES {
        for (index, (one, first)) in colors.iter().enumerate() {
            for (other, second) in &colors[index + 1..] {
                let distance = distance(eye, *first, *second);
                if distance < MIN_DISTANCE {
                    similar.push(format!("{one} and {other}: {distance:.1} to a {eye_name}"));
                }
            }
        }
    }
    assert!(similar.is_empty(), "{what}: {similar:#?}");
}

#[test]
fn kinds_ghosts_and_arrows_have_distinct_colours_for_every_eye() {
    for (theme, palette) in [("dark", Palette::DARK), ("light", Palette::LIGHT)] {
        let kinds = Kind::ALL.map(|kind| (kind.name().to_owned(), palette.kind(kind)));
        assert_distinct(theme, &kinds);
        let ghosts = [
            ("start", palette.ghost_start),
            ("impact", palette.ghost_impact),
            ("end", palette.ghost_end),
        ];
        assert_distinct(theme, &ghosts.map(|(name, color)| (name.to_owned(), color)));
        let arrows = [
            ("velocity", palette.velocity),
            ("push", palette.push),
            ("normal", palette.normal),
            ("contact", palette.contact),
        ];
        assert_distinct(theme, &arrows.map(|(name, color)| (name.to_owned(), color)));
        let grammar = [
            ("finding", palette.bad),
            ("contact", palette.contact),
            ("safe", palette.good),
            ("selection", palette.selected),
            ("playhead", palette.playhead),
            ("moving body", palette.moving),
        ];
        let grammar = grammar.map(|(name, color)| (name.to_owned(), color));
        assert_distinct(theme, &grammar);
        let bodies = [("moving", palette.moving), ("fixed", palette.fixed)];
        assert_distinct(theme, &bodies.map(|(name, color)| (name.to_owned(), color)));
        // No kind of finding looks like one of the other meanings.
        for (kind, color) in kinds {
            for (name, other) in &grammar[2..5] {
                let pair = [(kind.clone(), color), (name.clone(), *other)];
                assert_distinct(theme, &pair);
            }
        }
    }
}

/// Dark hues on a light background look like the black of the text.
#[test]
fn kinds_of_findings_have_a_hue_in_both_themes() {
    for (theme, palette) in [("dark", Palette::DARK), ("light", Palette::LIGHT)] {
        // That of numbers that are none is neutral.
        for kind in Kind::ALL
            .into_iter()
            .filter(|kind| *kind != Kind::BadNumber)
        {
            for text in [palette.text, palette.text_weak] {
                let distance = distance(TRICHROMAT, palette.kind(kind), text);
                assert!(
                    distance > 3.0 * MIN_DISTANCE,
                    "{theme}: {}: {distance}",
                    kind.name()
                );
            }
        }
    }
}

/// Brown is a dark orange: of a hue between red and yellow, and colourful.
#[test]
fn moving_bodies_are_not_brown() {
    for palette in [Palette::DARK, Palette::LIGHT] {
        let light = [palette.moving.r(), palette.moving.g(), palette.moving.b()].map(linear);
        let [lightness, a, b] = lab(light);
        let (hue, chroma) = (b.atan2(a).to_degrees(), a.hypot(b));
        let is_brown = lightness < 75.0 && (0.0..90.0).contains(&hue) && chroma > 10.0;
        assert!(!is_brown, "{hue} {chroma} {lightness}");
    }
}

#[test]
fn text_has_enough_contrast_on_every_background() {
    let themes = [
        ("dark", Palette::DARK, Surfaces::DARK),
        ("light", Palette::LIGHT, Surfaces::LIGHT),
    ];
    let mut faint = Vec::new();
    for (theme, palette, surfaces) in themes {
        let backgrounds = [
            ("panel", surfaces.panel),
            ("raised", surfaces.raised),
            ("sunken", surfaces.sunken),
            ("stripe", surfaces.stripe),
        ];
        let widgets = [
            ("widget", surfaces.widget),
            ("hovered", surfaces.widget_hovered),
            ("pressed", surfaces.widget_pressed),
        ];
        let mut check = |what: &str, text: Color32, name: &str, background: Color32| {
            let ratio = contrast(text, background);
            if ratio < MIN_CONTRAST {
                faint.push(format!("{theme}: {what} on {name}: {ratio:.2}"));
            }
        };
        for (name, background) in backgrounds {
            check("text", palette.text, name, background);
            check("weak text", palette.text_weak, name, background);
            check("link", surfaces.link, name, background);
        }
        for (name, background) in widgets {
            check("text", palette.text, name, background);
        }
        check(
            "chosen text",
            surfaces.chosen_text,
            "chosen",
            surfaces.chosen,
        );
        // Kinds, verdicts and results are written in their colours on panels and rows.
        for (name, background) in backgrounds {
            for kind in Kind::ALL {
                check(kind.name(), palette.kind(kind), name, background);
            }
        }
        for (name, background) in [("panel", surfaces.panel), ("raised", surfaces.raised)] {
            check("good", palette.good, name, background);
            check("bad", palette.bad, name, background);
            check("impact", palette.ghost_impact, name, background);
            check("separation", palette.ghost_end, name, background);
            check("excluded", palette.push, name, background);
            check("other level", palette.other, name, background);
        }
    }
    assert!(faint.is_empty(), "{faint:#?}");
}

#[test]
fn readable_colours_have_enough_contrast() {
    assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-9);
    for palette in [Palette::DARK, Palette::LIGHT] {
        let background = palette.background;
        for hue in [
            palette.text,
            palette.selected,
            palette.push,
            palette.playhead,
            palette.bad,
            palette.ghost_start,
            palette.ghost_impact,
            palette.ghost_end,
            palette.probe_hit,
            palette.other,
            palette.camera,
            background,
        ] {
            assert!(
                contrast(readable(hue, background), background) >= MIN_CONTRAST,
                "{hue:?}"
            );
        }
        assert_eq!(readable(palette.text, background), palette.text);
    }
}

#[test]
fn more_of_a_quantity_is_lighter_in_the_dark_and_darker_in_the_light_theme() {
    for (palette, sign) in [(Palette::DARK, 1.0), (Palette::LIGHT, -1.0)] {
        let lightness = |step: i32| {
            let color = palette.share(f64::from(step) / 60.0);
            lab([color.r(), color.g(), color.b()].map(linear))[0] * sign
        };
        let rises = (0..60).map(|step| lightness(step + 1) - lightness(step));
        let least = rises.fold(f64::INFINITY, f64::min);
        assert!(least > 0.0, "{least}");
        assert_eq!(palette.share(0.0), palette.ramp[0]);
        assert_eq!(palette.share(1.0), palette.ramp[3]);
        for (name, eye) in EYES {
            let apart = distance(eye, palette.fixed, palette.share(1.0));
            assert!(apart > MIN_DISTANCE, "{name}: {apart}");
        }
    }
}
