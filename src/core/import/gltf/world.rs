//! The transform of a node of a glTF file into world space.

use super::document::Node;
use crate::core::shape::Pose;
use glam::{DMat3, DQuat, DVec3};

/// How far from square two axes of a node's matrix may be and still be turned and scaled, not sheared.
///
/// No unit, the cosine between them. Engines write matrices as `f32`, whose products round to some 1e-7.
const SQUARE_COSINE: f64 = 1e-6;

/// Transform of a node: scale, rotation and translation or, where that is impossible, a matrix and translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct World {
    pub(super) pose: Pose,
    pub(super) scale: DVec3,
    /// Replaces rotation and scale.
    pub(super) linear: Option<DMat3>,
}

impl World {
    pub(super) const ORIGIN: Self = Self {
        pose: Pose::IDENTITY,
        scale: DVec3::ONE,
        linear: None,
    };

    pub(super) fn of(node: &Node) -> Self {
        if let Some(matrix) = node.matrix {
            let column =
                |index: usize| DVec3::new(matrix[index], matrix[index + 1], matrix[index + 2]);
            let linear = DMat3::from_cols(column(0), column(4), column(8));
            return Self::at(column(12), linear);
        }
        let rotation = node.rotation.map(DQuat::from_array);
        let position = node.translation.map_or(DVec3::ZERO, DVec3::from_array);
        let rotation = match rotation {
            Some(turn) if turn != DQuat::IDENTITY => turn.normalize(),
            _ => DQuat::IDENTITY,
        };
        Self {
            pose: Pose { position, rotation },
            scale: node.scale.map_or(DVec3::ONE, DVec3::from_array),
            linear: None,
        }
    }

    /// True for a rotation of length 0 or without a finite length.
    pub(super) fn is_unrotatable(node: &Node) -> bool {
        let squared = node
            .rotation
            .map(|it| DQuat::from_array(it).length_squared());
        squared.is_some_and(|squared| !squared.is_normal())
    }

    /// From a matrix, decomposed where its axes are orthogonal.
    pub(super) fn at(position: DVec3, linear: DMat3) -> Self {
        let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
        let square = |a: DVec3, b: DVec3| a.dot(b).abs() <= SQUARE_COSINE * a.length() * b.length();
        let mut scale = DVec3::new(x.length(), y.length(), z.length());
        let is_square = square(x, y) && square(y, z) && square(z, x) && scale.min_element() > 0.0;
        if !is_square {
            return Self {
                pose: Pose::at(position),
                scale: DVec3::ONE,
                linear: Some(linear),
            };
        }
        if linear.determinant() < 0.0 {
            scale = -scale;
        }
        let turn = DMat3::from_cols(x / scale.x, y / scale.y, z / scale.z);
        let rotation = match turn == DMat3::IDENTITY {
            true => DQuat::IDENTITY,
            false => DQuat::from_mat3(&turn).normalize(),
        };
        Self {
            pose: Pose { position, rotation },
            scale,
            linear: None,
        }
    }

    pub(super) fn matrix(&self) -> DMat3 {
        self.linear.unwrap_or_else(|| {
            DMat3::from_quat(self.pose.rotation) * DMat3::from_diagonal(self.scale)
        })
    }

    /// A node below this one.
    pub(super) fn then(&self, child: &Self) -> Self {
        let inner = child.pose.position;
        let position = match self.linear {
            Some(linear) => self.pose.position + linear * inner,
            None => self.pose.point(self.scale * inner),
        };
        let DVec3 { x, y, z } = self.scale;
        let even = x == y && y == z;
        let keeps_square = even || child.pose.rotation == DQuat::IDENTITY;
        if self.linear.is_some() || child.linear.is_some() || !keeps_square {
            return Self::at(position, self.matrix() * child.matrix());
        }
        let (own, inner) = (self.pose.rotation, child.pose.rotation);
        // Unrotated values keep their bits.
        let rotation = match DQuat::IDENTITY {
            none if inner == none => own,
            none if own == none => inner,
            _ => (own * inner).normalize(),
        };
        Self {
            pose: Pose { position, rotation },
            scale: self.scale * child.scale,
            linear: None,
        }
    }

    /// A point of the node without the rotation of its pose.
    pub(super) fn local(&self, point: DVec3) -> DVec3 {
        match self.linear {
            Some(linear) => linear * point,
            None => self.scale * point,
        }
    }

    /// Whether it mirrors.
    pub(super) fn is_mirrored(&self) -> bool {
        match self.linear {
            Some(linear) => linear.determinant() < 0.0,
            None => self.scale.x * self.scale.y * self.scale.z < 0.0,
        }
    }
}
