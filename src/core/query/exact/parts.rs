//! What a swept centre sees of a shape, and how far it is, without rounding.

use super::past::{Past, Time, before};
use super::{Exact, ExactVector};
use std::cmp::Ordering;

/// A shape seen from the sphere's centre at its start.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Edges (a point is one without length) and faces.
    Flat {
        edges: Vec<[ExactVector; 2]>,
        faces: Vec<[ExactVector; 3]>,
        /// What lies between the faces, where they are those of a solid.
        past: Option<Box<Past>>,
    },
    /// A solid box along the axes.
    Box {
        center: ExactVector,
        half: ExactVector,
    },
    /// A half space.
    Plane {
        normal: ExactVector,
        /// Signed distance of the centre, as the normal measures it.
        distance: Exact,
    },
}

/// The nearest of a body as one point sees it.
pub(crate) struct Seen {
    /// The distance against the reach.
    pub distance: Ordering,
    /// Along the direction from the body to the point, of any length; zero inside.
    pub away: ExactVector,
}

/// A squared distance, as a fraction with a denominator above zero.
#[derive(Clone, Debug)]
pub(crate) struct Square {
    pub over: Exact,
    pub under: Exact,
}

impl Square {
    fn whole(over: Exact) -> Self {
        Self {
            over,
            under: Exact::new(1.0),
        }
    }

    fn is_less(&self, other: &Self) -> bool {
        let order = self
            .over
            .times(&other.under)
            .compare(&other.over.times(&self.under));
        order == Ordering::Less
    }

    /// The distance against a reach.
    pub fn compare(&self, reach: &Exact) -> Ordering {
        self.over.compare(&reach.squared().times(&self.under))
    }

    /// How far the distance is beyond a reach, metres, > 0 where it is so by however little.
    pub fn beyond(&self, reach: &Exact) -> f64 {
        let over = self.over.minus(&reach.squared().times(&self.under));
        let distance = ratio(&self.over, &self.under).max(0.0).sqrt();
        (ratio(&over, &self.under) / (distance + reach.to_f64())).max(f64::MIN_POSITIVE)
    }
}

/// `x / y`, with the exponents brought near 1 before the division.
pub(super) fn ratio(x: &Exact, y: &Exact) -> f64 {
    let (of_x, of_y) = (x.magnitude(), y.magnitude());
    let quotient = x.clone().scaled(-of_x).to_f64() / y.clone().scaled(-of_y).to_f64();
    let half = 2.0_f64.powi(32 * (of_x - of_y));
    quotient * half * half
}

impl Body {
    pub fn flat(edges: Vec<[ExactVector; 2]>, faces: Vec<[ExactVector; 3]>) -> Self {
        Self::Flat {
            edges,
            faces,
            past: None,
        }
    }

    pub fn triangles<const N: usize>(faces: [[ExactVector; 3]; N]) -> Self {
        let edges = faces.iter().flat_map(|[a, b, c]| {
            [[a, b], [b, c], [c, a]].map(|edge| edge.map(ExactVector::clone))
        });
        Self::Flat {
            edges: edges.collect(),
            faces: faces.to_vec(),
            past: None,
        }
    }

    /// The nearest to a point.
    pub fn nearest(&self, point: &ExactVector, reach: &Exact) -> Seen {
        match self {
            Self::Plane { normal, distance } => Seen {
                distance: distance.plus(&normal.dot(point)).compare(reach),
                away: normal.clone(),
            },
            Self::Box { center, half } => {
                let away = beyond_box(&point.minus(center), half);
                Seen {
                    distance: Square::whole(away.square()).compare(reach),
                    away,
                }
            }
            Self::Flat {
                past: Some(past), ..
            } if past.meets(point) => Seen {
                distance: Exact::default().compare(reach),
                away: point.minus(point),
            },
            Self::Flat { edges, faces, .. } => {
                let of_edges = edges.iter().map(|edge| from_edge(point, edge));
                let of_faces = faces.iter().filter_map(|face| from_face(point, face));
                let all = of_edges.chain(of_faces);
                let nearest =
                    all.reduce(|best, next| if next.0.is_less(&best.0) { next } else { best });
                match nearest {
                    Some((square, away)) => Seen {
                        distance: square.compare(reach),
                        away,
                    },
                    None => Seen {
                        distance: Ordering::Greater,
                        away: point.clone(),
                    },
                }
            }
        }
    }

    /// The least squared distance of a whole way from the origin to `step`; a plane's is at an end, and not asked for.
    pub fn least(&self, step: &ExactVector) -> Square {
        let least = |best: Square, next: Square| if next.is_less(&best) { next } else { best };
        let origin = step.minus(step);
        let ends = [&origin, step];
        match self {
            Self::Plane { distance, .. } => Square::whole(distance.squared()),
            Self::Box { center, half } => {
                let of_ends =
                    ends.map(|end| Square::whole(beyond_box(&end.minus(center), half).square()));
                let of_edges = box_edges(center, half)
                    .into_iter()
                    .flat_map(|edge| between(step, &edge));
                let of_faces = (0..3).flat_map(|axis| over_faces(step, center, half, axis));
                let [first, second] = of_ends;
                of_edges.chain(of_faces).fold(least(first, second), least)
            }
            Self::Flat { edges, faces, .. } => {
                let of_edges = edges.iter().flat_map(|edge| between(step, edge));
                let of_faces = faces.iter().flat_map(|face| {
                    let of_ends = ends.into_iter().filter_map(|end| from_face(end, face));
                    let crossing = crosses(step, face).then(|| Square::whole(Exact::default()));
                    of_ends.map(|(square, _)| square).chain(crossing)
                });
                let all = of_edges.chain(of_faces).reduce(least);
                all.unwrap_or_else(|| Square::whole(Exact::new(1.0)))
            }
        }
    }
}

/// From the nearest point of a box around the origin to a point; zero inside.
fn beyond_box(point: &ExactVector, half: &ExactVector) -> ExactVector {
    ExactVector(std::array::from_fn(|k| {
        let (at, half) = (&point.0[k], &half.0[k]);
        let (above, below) = (at.minus(half), at.plus(half));
        if above.sign() == Ordering::Greater {
            above
        } else if below.sign() == Ordering::Less {
            below
        } else {
            Exact::default()
        }
    }))
}

/// Squared distance of a point from an edge, and the way out.
fn from_edge(point: &ExactVector, [a, b]: &[ExactVector; 2]) -> (Square, ExactVector) {
    let (along, from_a) = (b.minus(a), point.minus(a));
    let (share, length) = (from_a.dot(&along), along.square());
    if share.sign() != Ordering::Greater {
        (Square::whole(from_a.square()), from_a)
    } else if share.compare(&length) != Ordering::Less {
        let from_b = point.minus(b);
        (Square::whole(from_b.square()), from_b)
    } else {
        let square = Square {
            over: from_a.square().times(&length).minus(&share.squared()),
            under: length.clone(),
        };
        (square, from_a.times(&length).minus(&along.times(&share)))
    }
}

/// Squared distance of a point from a face it stands over; `None` beside it, and of a face without area.
fn from_face(point: &ExactVector, [a, b, c]: &[ExactVector; 3]) -> Option<(Square, ExactVector)> {
    let normal = b.minus(a).cross(&c.minus(a));
    let under = normal.square();
    let [u, v, w] = [a, b, c].map(|corner| corner.minus(point));
    let inside =
        |p: &ExactVector, q: &ExactVector| p.cross(q).dot(&normal).sign() != Ordering::Less;
    if under.sign() == Ordering::Equal || !(inside(&u, &v) && inside(&v, &w) && inside(&w, &u)) {
        return None;
    }
    let height = u.dot(&normal).negated();
    let square = Square {
        over: height.squared(),
        under,
    };
    Some((square, normal.times(&height)))
}

/// Squared distances of a way from an edge, the least of them among them: ends against the other, and line against line.
fn between(step: &ExactVector, edge: &[ExactVector; 2]) -> Vec<Square> {
    let origin = step.minus(step);
    let way = [origin.clone(), step.clone()];
    let [a, b] = edge;
    let mut all = vec![
        from_edge(&origin, edge).0,
        from_edge(step, edge).0,
        from_edge(a, &way).0,
        from_edge(b, &way).0,
    ];
    let along = b.minus(a);
    let normal = step.cross(&along);
    let under = normal.square();
    let within =
        |share: Exact| share.sign() != Ordering::Less && share.compare(&under) != Ordering::Greater;
    let on_way = a.cross(&along).dot(&normal);
    let on_edge = a.cross(step).dot(&normal);
    if under.sign() == Ordering::Greater && within(on_way) && within(on_edge) {
        all.push(Square {
            over: a.dot(&normal).squared(),
            under: under.clone(),
        });
    }
    all
}

/// Does the way from the origin meet the face? Ends included.
pub(super) fn crosses(step: &ExactVector, [a, b, c]: &[ExactVector; 3]) -> bool {
    let normal = b.minus(a).cross(&c.minus(a));
    let (from, to) = (a.dot(&normal).negated(), step.minus(a).dot(&normal));
    if from.sign() == to.sign() {
        return false; // Also within the plane, where the edges decide.
    }
    let [x, y, z] = [(a, b), (b, c), (c, a)].map(|(p, q)| p.cross(q).dot(step).sign());
    let all = [x, y, z];
    !(all.contains(&Ordering::Less) && all.contains(&Ordering::Greater))
}

/// Bits 0, 1, 2 choose the upper side of x, y, z.
pub(super) fn box_corner(center: &ExactVector, half: &ExactVector, bits: usize) -> ExactVector {
    ExactVector(std::array::from_fn(|k| match bits >> k & 1 {
        0 => center.0[k].minus(&half.0[k]),
        _ => center.0[k].plus(&half.0[k]),
    }))
}

pub(super) fn box_edges(center: &ExactVector, half: &ExactVector) -> Vec<[ExactVector; 2]> {
    let corner = |bits| box_corner(center, half, bits);
    let pairs = (0..8).flat_map(|from| (0..3).map(move |axis| (from, from | 1 << axis)));
    pairs
        .filter(|(from, to)| from != to)
        .map(|(from, to)| [corner(from), corner(to)])
        .collect()
}

/// When the way from the origin is between the faces of a box across each of some axes; `None` at no time in [0, 1].
pub(super) fn stretch<const N: usize>(
    step: &ExactVector,
    center: &ExactVector,
    half: &ExactVector,
    axes: [usize; N],
) -> Option<(Time, Time)> {
    // Times as fractions, over and under, the latter above zero.
    let one = || Exact::new(1.0);
    let (mut enter, mut exit) = ((Exact::default(), one()), (one(), one()));
    for k in axes {
        let (low, high) = (center.0[k].minus(&half.0[k]), center.0[k].plus(&half.0[k]));
        let rate = &step.0[k];
        let (near, far) = match rate.sign() {
            Ordering::Equal => {
                if low.sign() == Ordering::Greater || high.sign() == Ordering::Less {
                    return None;
                }
                continue;
            }
            Ordering::Greater => ((low, rate.clone()), (high, rate.clone())),
            Ordering::Less => (
                (high.negated(), rate.negated()),
                (low.negated(), rate.negated()),
            ),
        };
        if before(&enter, &near) {
            enter = near;
        }
        if before(&far, &exit) {
            exit = far;
        }
    }
    (!before(&exit, &enter)).then_some((enter, exit))
}

/// Squared distances of a way from the two faces across an axis, at both ends of the stretch that lies over them.
fn over_faces(
    step: &ExactVector,
    center: &ExactVector,
    half: &ExactVector,
    axis: usize,
) -> Vec<Square> {
    let Some((enter, exit)) = stretch(step, center, half, [(axis + 1) % 3, (axis + 2) % 3]) else {
        return vec![];
    };
    // Beyond the face at both ends on one side, or through the box.
    let beyond = |(over, under): &Time| {
        let at = step.0[axis].times(over).minus(&center.0[axis].times(under));
        let half = half.0[axis].times(under);
        if at.compare(&half) == Ordering::Greater {
            at.minus(&half)
        } else if at.plus(&half).sign() == Ordering::Less {
            at.plus(&half)
        } else {
            Exact::default()
        }
    };
    let (first, last) = (beyond(&enter), beyond(&exit));
    if first.sign() != last.sign() {
        return vec![Square::whole(Exact::default())];
    }
    [(first, enter.1), (last, exit.1)]
        .map(|(over, under)| Square {
            over: over.squared(),
            under: under.squared(),
        })
        .into()
}
