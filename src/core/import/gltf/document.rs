//! The parts of a glTF document that are read: nodes, meshes, accessors and animations.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The document; indices are not validated yet.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) asset: Asset,
    pub(super) scene: Option<usize>,
    pub(super) scenes: Vec<SceneNodes>,
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<MeshText>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<View>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) animations: Vec<Clip>,
    pub(super) extensions_required: Vec<String>,
    pub(super) extensions_used: Vec<String>,
    pub(super) extensions: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asset {
    pub(super) version: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SceneNodes {
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    /// Column by column.
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    /// x, y, z, w.
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) extensions: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MeshText {
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    #[serde(default = "triangles")]
    pub(super) mode: u32,
    #[serde(default)]
    pub(super) extensions: Map<String, Value>,
}

fn triangles() -> u32 {
    4
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
}

/// The component type of numbers in `f32`.
pub(super) const FLOAT: u32 = 5126;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparsePart,
    pub(super) values: SparsePart,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) byte_stride: Option<u64>,
    #[serde(default)]
    pub(super) extensions: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: u64,
}

/// An animation: channels, and the keys that they use.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Clip {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub(super) node: Option<usize>,
    pub(super) path: String,
    #[serde(default)]
    pub(super) extensions: Map<String, Value>,
}

impl Target {
    /// The node and its property; `None` for what the format leaves to be ignored.
    ///
    /// # Errors
    /// The pointer, where `KHR_animation_pointer` animates something else than such a property.
    pub(super) fn property(&self) -> Result<Option<(usize, &str)>, &str> {
        if self.path != "pointer" {
            return Ok(self.node.map(|node| (node, self.path.as_str())));
        }
        let extension = self.extensions.get("KHR_animation_pointer");
        let pointer = extension.and_then(|one| one.get("pointer")?.as_str());
        let Some(pointer) = pointer else {
            return Ok(None);
        };
        let of_node = || {
            let (node, property) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
            let is_read = ["translation", "rotation", "scale", "weights"].contains(&property);
            Some((node.parse().ok().filter(|_| is_read)?, property))
        };
        of_node().map(Some).ok_or(pointer)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    /// Accessor of the times, seconds.
    pub(super) input: usize,
    /// Accessor of the values.
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}
