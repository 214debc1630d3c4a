//! Reads the lines of frames as recorders write them, several times as fast as the general reader.
//!
//! It takes what it knows to the same values, and leaves every other line to the general reader, which has the messages: unknown or repeated
//! fields, escapes, numbers as text, and faults of every kind. Fields that are rare go through the general reader one by one.

use super::json::{BodyLine, ContactLine, FrameLine, Own, PushLine, Vec3};
use super::json_notes::Lenient;
use super::open_fields::Open;
use crate::core::schema::{LogTurn, Number, Spin};
use serde::de::DeserializeOwned;

/// Powers of ten that `f64` holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Up to here every whole number is an `f64`.
const MOST_EXACT: u64 = 1 << 53;

/// The line of a frame; `None` where the general reader has to read it.
pub(super) fn frame_line(line: &[u8]) -> Option<FrameLine> {
    let mut scan = Scan { line, at: 0 };
    let mut frame = FrameLine::default();
    let (mut spawn, mut remove, mut ignore, mut joints) = (None, None, None, None);
    let (mut pushes, mut queries) = (None, None);
    let (mut log, mut values, mut marks, mut moves) = (None, None, None, None);
    scan.object(|scan, key| match key {
        b"frame" => set(&mut frame.frame, scan.whole()?),
        b"t" => set(&mut frame.t, Own(Number(scan.number()?))),
        b"dt" => set(&mut frame.dt, Own(Number(scan.number()?))),
        b"gap" => set(&mut frame.gap, scan.flag()?),
        b"bodies" => set(&mut frame.bodies, scan.list(body)?),
        b"contacts" => set(&mut frame.contacts, scan.list(contact)?),
        b"pushes" => set(&mut pushes, scan.list(push)?),
        b"queries" => set(&mut queries, scan.other()?),
        b"log" => set(&mut log, scan.other()?),
        b"values" => set(&mut values, scan.other()?),
        b"marks" => set(&mut marks, scan.other()?),
        b"moves" => set(&mut moves, scan.other()?),
        b"image" => set(&mut frame.image, scan.other()?),
        b"camera" => set(&mut frame.camera, scan.other()?),
        b"substeps" => set(&mut frame.substeps, scan.other()?),
        b"joints" => set(&mut joints, scan.other()?),
        b"spawn" => set(&mut spawn, scan.other()?),
        b"remove" => set(&mut remove, scan.other()?),
        b"ignore" => set(&mut ignore, scan.other()?),
        _ => None,
    })?;
    scan.space();
    (scan.at == line.len()).then(|| FrameLine {
        spawn: spawn.unwrap_or_default(),
        remove: remove.unwrap_or_default(),
        ignore: ignore.unwrap_or_default(),
        joints: joints.unwrap_or_default(),
        pushes: pushes.unwrap_or_default(),
        queries: queries.unwrap_or_default(),
        log: log.unwrap_or_default(),
        values: values.unwrap_or_default(),
        marks: marks.unwrap_or_default(),
        moves: moves.unwrap_or_default(),
        ..frame
    })
}

/// Sets a field; `None` where it has a value already.
fn set<T>(field: &mut Option<T>, value: T) -> Option<()> {
    field.replace(value).is_none().then_some(())
}

fn body(scan: &mut Scan<'_>) -> Option<BodyLine> {
    let (mut id, mut p, mut q, mut v, mut w) = (None, None, None, None, None);
    let (mut teleported, mut asleep, mut island) = (None, None, None);
    scan.object(|scan, key| match key {
        b"id" => set(&mut id, scan.whole()?),
        b"p" => set(&mut p, scan.vector()?),
        b"q" => set(&mut q, scan.turn()?),
        b"v" => set(&mut v, scan.vector()?),
        b"w" => set(&mut w, scan.spin()?),
        b"teleported" => set(&mut teleported, scan.flag()?),
        b"asleep" => set(&mut asleep, scan.flag()?),
        b"island" => set(&mut island, Lenient::Read(scan.whole()?.try_into().ok()?)),
        _ => None,
    })?;
    Some(BodyLine {
        id: id?,
        p: p?,
        q,
        v,
        w,
        teleported: teleported.unwrap_or(false),
        asleep: asleep.unwrap_or(false),
        island,
    })
}

fn contact(scan: &mut Scan<'_>) -> Option<ContactLine> {
    let (mut a, mut b, mut point, mut normal, mut depth) = (None, None, None, None, None);
    let mut impulse = None;
    scan.object(|scan, key| match key {
        b"a" => set(&mut a, scan.whole()?),
        b"b" => set(&mut b, scan.whole()?),
        b"point" => set(&mut point, scan.vector()?),
        b"normal" => set(&mut normal, scan.vector()?),
        b"depth" => set(&mut depth, Number(scan.number()?)),
        b"impulse" => set(&mut impulse, Lenient::Read(Number(scan.number()?))),
        _ => None,
    })?;
    Some(ContactLine {
        a: a?,
        b: b?,
        point: point?,
        normal: normal?,
        depth: depth?,
        impulse,
    })
}

fn push(scan: &mut Scan<'_>) -> Option<PushLine> {
    let (mut id, mut push) = (None, None);
    scan.object(|scan, key| match key {
        b"id" => set(&mut id, scan.whole()?),
        b"push" => set(&mut push, scan.vector()?),
        _ => None,
    })?;
    Some(PushLine {
        id: id?,
        push: push?,
    })
}

/// A place in a line.
struct Scan<'l> {
    line: &'l [u8],
    at: usize,
}

impl Scan<'_> {
    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.line.get(self.at) {
            self.at += 1;
        }
    }

    /// Steps over a byte, after space.
    fn byte(&mut self, wanted: u8) -> Option<()> {
        self.next_is(wanted).then_some(())
    }

    /// Steps over a byte where it comes next, after space.
    fn next_is(&mut self, wanted: u8) -> bool {
        if self.line.get(self.at) != Some(&wanted) {
            self.space();
        }
        let is_next = self.line.get(self.at) == Some(&wanted);
        self.at += usize::from(is_next);
        is_next
    }

    /// An object, field by field.
    fn object(&mut self, mut field: impl FnMut(&mut Self, &[u8]) -> Option<()>) -> Option<()> {
        self.byte(b'{')?;
        if self.next_is(b'}') {
            return Some(());
        }
        loop {
            self.byte(b'"')?;
            let (line, from) = (self.line, self.at);
            let length = line[from..].iter().position(|byte| *byte == b'"')?;
            self.at = from + length + 1;
            self.byte(b':')?;
            field(self, &line[from..from + length])?;
            if self.next_is(b'}') {
                return Some(());
            }
            self.byte(b',')?;
        }
    }

    fn list<T>(&mut self, item: fn(&mut Self) -> Option<T>) -> Option<Vec<Open<T>>> {
        let mut items = Vec::new();
        self.byte(b'[')?;
        if self.next_is(b']') {
            return Some(items);
        }
        loop {
            items.push(Open::from(item(self)?));
            if self.next_is(b']') {
                return Some(items);
            }
            self.byte(b',')?;
        }
    }

    /// A list of at most so many numbers, and how many there are.
    fn numbers<const N: usize>(&mut self) -> Option<([Number; N], usize)> {
        let mut numbers = [Number(0.0); N];
        self.byte(b'[')?;
        for (index, number) in numbers.iter_mut().enumerate() {
            if index > 0 && self.next_is(b']') {
                return Some((numbers, index));
            }
            if index > 0 {
                self.byte(b',')?;
            }
            number.0 = self.number()?;
        }
        self.byte(b']')?;
        Some((numbers, N))
    }

    fn vector(&mut self) -> Option<Vec3> {
        match self.numbers()? {
            (parts, 3) => Some(Vec3::deep(parts)),
            ([x, y, _], 2) => Some(Vec3::flat([x, y])),
            _ => None,
        }
    }

    /// Whether a list comes next, and no number.
    fn is_at_list(&mut self) -> bool {
        self.space();
        self.line.get(self.at) == Some(&b'[')
    }

    fn turn(&mut self) -> Option<LogTurn> {
        if !self.is_at_list() {
            return Some(LogTurn::Angle(Number(self.number()?)));
        }
        match self.numbers()? {
            (parts, 4) => Some(LogTurn::Quaternion(parts)),
            _ => None,
        }
    }

    fn spin(&mut self) -> Option<Spin<Number>> {
        if !self.is_at_list() {
            return Some(Spin::flat(Number(self.number()?)));
        }
        match self.numbers()? {
            (parts, 3) => Some(Spin(Vec3::deep(parts))),
            _ => None,
        }
    }

    fn flag(&mut self) -> Option<bool> {
        self.space();
        let rest = &self.line[self.at..];
        let value = rest.starts_with(b"true");
        let length = if value { 4 } else { 5 };
        self.at += length;
        (value || rest.starts_with(b"false")).then_some(value)
    }

    /// Digits, at least one: their value, where it fits, and their number.
    fn digits(&mut self, mut value: u64) -> Option<(Option<u64>, usize)> {
        let from = self.at;
        let mut fits = true;
        while let Some(digit @ b'0'..=b'9') = self.line.get(self.at) {
            let next = value.checked_mul(10);
            let next = next.and_then(|value| value.checked_add(u64::from(digit - b'0')));
            fits &= next.is_some();
            value = next.unwrap_or(value);
            self.at += 1;
        }
        let count = self.at - from;
        (count > 0).then_some((fits.then_some(value), count))
    }

    /// Digits before a point; more than one do not begin with 0.
    fn whole_digits(&mut self) -> Option<Option<u64>> {
        let is_zero = self.line.get(self.at) == Some(&b'0');
        let (value, count) = self.digits(0)?;
        (!is_zero || count == 1).then_some(value)
    }

    fn whole(&mut self) -> Option<u64> {
        self.space();
        let value = self.whole_digits()??;
        let is_whole = !matches!(self.line.get(self.at), Some(b'.' | b'e' | b'E'));
        is_whole.then_some(value)
    }

    fn number(&mut self) -> Option<f64> {
        self.space();
        let from = self.at;
        let is_negative = self.line.get(self.at) == Some(&b'-');
        self.at += usize::from(is_negative);
        let mut digits = self.whole_digits()?;
        let mut exponent = 0_i64;
        if self.line.get(self.at) == Some(&b'.') {
            self.at += 1;
            let (value, count) = self.digits(digits.unwrap_or(0))?;
            digits = digits.and(value);
            exponent = -(count as i64);
        }
        if let Some(b'e' | b'E') = self.line.get(self.at) {
            self.at += 1;
            let is_below = self.line.get(self.at) == Some(&b'-');
            self.at += usize::from(matches!(self.line.get(self.at), Some(b'-' | b'+')));
            let (value, _) = self.digits(0)?;
            let value = i64::try_from(value?).ok()?;
            exponent = exponent.checked_add(if is_below { -value } else { value })?;
        }
        // One rounding of two exact numbers (Clinger 1990); else the exact parser of the standard library.
        let power = POWERS.get(exponent.unsigned_abs() as usize);
        let value = match (digits.filter(|digits| *digits <= MOST_EXACT), power) {
            (Some(digits), Some(power)) => {
                let whole = digits as f64;
                let value = if exponent < 0 {
                    whole / power
                } else {
                    whole * power
                };
                if is_negative { -value } else { value }
            }
            _ => std::str::from_utf8(&self.line[from..self.at])
                .ok()?
                .parse()
                .ok()?,
        };
        value.is_finite().then_some(value)
    }

    /// A value of a rare field, by the general reader.
    fn other<T: DeserializeOwned>(&mut self) -> Option<T> {
        let rest = self.line.get(self.at..)?;
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter();
        let value = values.next()?.ok()?;
        self.at += values.byte_offset();
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use super::*;

    const LINES: [&str; 6] = [
        r#"{"frame":6,"bodies":[],"contacts":[{"a":0,"b":1,"point":[1,2,0],"normal":[0,1,0],"depth":0,"impulse":2.5}],"queries":[{"kind":"ray","from":[0,0,0],"to":[1,0,0],"tag":"ground","hit":null}],"log":["dash",{"text":"no ground","id":0,"level":"warning"}],"values":[{"name":"stamina","id":0,"value":0.5},{"name":"lit","value":true},{"name":"state","text":"idle"}],"marks":[{"points":[[0,1,0],[1,1,0]],"name":"path","id":0,"radius":0.1,"color":[255,0,9]}],"image":"a/0.png","moves":[{"id":0,"from":[0,1,0],"wish":[1,0,0],"to":[0.5,1,0],"grounded":true,"up":[0,1,0],"max_slope":45,"max_step":0.3,"snap":0.2,"skin":0.01,"sweeps":[{"kind":"slide","from":[0,1,0],"to":[0.5,1,0],"wish":[1,0,0],"hit":{"id":1,"normal":[-1,0,0],"point":[1,1,0]}}]}]}"#,
        r#"{"frame":7,"bodies":[{"id":0,"p":[1,-0.5],"q":-0.25,"v":[0.1,-9.81],"w":2e3}],"contacts":[{"a":0,"b":1,"point":[1,2],"normal":[0,1],"depth":0}],"pushes":[{"id":3,"push":[0,0.5]}]}"#,
        r#"{"frame":7,"t":0.11666666666666667,"bodies":[{"id":0,"p":[1,-0.5,1e-7],"q":[0,0,0,1],"v":[0.1,-9.81,3.25],"w":[-0,0.0,2E3],"asleep":true,"island":4294967295},{"id":12,"p":[9007199254740993,0.30000000000000004,123456789.123456789]}]}"#,
        r#" { "frame" : 8 , "bodies" : [ { "p" : [ 1.5 , 2 , 3 ] , "id" : 1 } ] , "contacts" : [ { "a" : 0 , "b" : 1 , "point" : [ 1 , 2 , 3 ] , "normal" : [ 0 , 1 , 0 ] , "depth" : -0.01 } ] } "#,
        r#"{"frame":9,"dt":0.02,"gap":false,"bodies":[],"contacts":[],"pushes":[{"id":3,"push":[0,0.5,0]}],"substeps":4,"joints":[[0,1]],"queries":[{"kind":"ray","from":[0,0,0],"to":[1,0,0],"hit":null}],"camera":{"p":[0,1,2],"push":[0,0,1]},"remove":[4],"ignore":[[1,2]]}"#,
        r#"{"frame":10,"bodies":[{"id":0,"p":[1e23,-2.5e-23,5e-324],"v":[1.7976931348623157e308,12345678901234567890123,0.1e-30],"teleported":false}]}"#,
    ];

    fn text_of(line: &FrameLine) -> String {
        serde_json::to_string(line).unwrap()
    }

    /// What it takes the general reader takes to the same bits; without the general reader's own lines nothing would be compared.
    fn agrees(line: &[u8]) -> bool {
        let quick = frame_line(line);
        if let Some(quick) = &quick {
            let general = json::parse::<Open<FrameLine>>(&mut line.to_vec());
            let general = general.map(|line| text_of(&line.value));
            let shown = String::from_utf8_lossy(line);
            assert_eq!(general.as_deref(), Ok(&*text_of(quick)), "{shown}");
        }
        quick.is_some()
    }

    #[test]
    fn the_lines_of_recorders_have_the_values_of_the_general_reader() {
        for line in LINES {
            assert!(agrees(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn what_the_general_reader_refuses_or_reads_otherwise_is_left_to_it() {
        let body =
            |field: &str| format!(r#"{{"frame":1,"bodies":[{{"id":0,"p":[0,0,0]{field}}}]}}"#);
        let line = |rest: &str| format!(r#"{{"frame":1,"bodies":[]{rest}}}"#);
        for line in [
            body(r#","v":[NaN,0,0]"#),
            body(r#","v":["NaN",0,0]"#),
            body(r#","v":[null,0,0]"#),
            body(r#","v":[1e999,0,0]"#),
            body(r#","v":[01,0,0]"#),
            body(r#","v":[1.,0,0]"#),
            body(r#","v":[.5,0,0]"#),
            body(r#","v":[+1,0,0]"#),
            body(r#","v":[1]"#),
            body(r#","q":[1,2,3]"#),
            body(r#","w":[1,2]"#),
            body(r#","w":"NaN""#),
            body(r#","v":[1,2,3,4]"#),
            body(r#","v":null"#),
            body(r#","id":1"#),
            body(r#","speed":1"#),
            body(r#","asleep":1"#),
            body(r#","island":-1"#),
            body(r#","island":4294967296"#),
            body(r#","island":1.0"#),
            line(r#","frame":2"#),
            line(r#","t":null"#),
            line(r#","bodies":[]"#),
            line(","),
            line("}"),
            line("").replace(":1,", ":1.5,"),
            line("").replace(":1,", ":-1,"),
            line("").replace(":1,", ":18446744073709551616,"),
            r#"{"bodies":[{"p":[0,0,0]}]}"#.to_owned(),
            "[]".to_owned(),
            String::new(),
        ] {
            assert!(frame_line(line.as_bytes()).is_none(), "{line}");
        }
    }

    /// Every line with a byte left out, doubled or changed.
    #[test]
    fn damaged_lines_have_the_values_of_the_general_reader_or_none() {
        for line in LINES {
            for at in 0..line.len() {
                let (before, rest) = line.as_bytes().split_at(at);
                agrees(&[before, &rest[1..]].concat());
                agrees(&[before, &rest[..1], rest].concat());
                for other in b"0.9e-+,]}[{\":\\ n" {
                    agrees(&[before, &[*other], &rest[1..]].concat());
                }
                agrees(before);
            }
        }
    }
}
