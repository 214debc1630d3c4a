//! Buffers on the GPU: instances, rewritten in the same memory, and meshes, written once.

use super::super::draw_list::{DrawList, RenderScene, Translucent};
use super::super::geometry::{Geometry, MeshVertex};
use bytemuck::Pod;
use eframe::wgpu;
use eframe::wgpu::util::StagingBelt;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Weak};

/// Where instances are copied to the GPU from: mapped memory that is used again, whereas `Queue::write_buffer` takes new memory for each write.
pub struct Uploads<'u> {
    pub device: &'u wgpu::Device,
    /// Copies before it draws.
    pub encoder: &'u mut wgpu::CommandEncoder,
    pub belt: &'u mut StagingBelt,
}

/// A vertex buffer of instances that grows on demand.
#[derive(Default)]
pub struct GrowingBuffer {
    buffer: Option<wgpu::Buffer>,
    count: u32,
    /// Size of an instance, bytes.
    stride: u64,
}

impl GrowingBuffer {
    /// Replaces the instances, which are in several pieces; drops those beyond the device's largest buffer.
    pub fn write<T: Pod>(&mut self, uploads: &mut Uploads<'_>, pieces: &[&[T]]) {
        let device = uploads.device;
        let most = device.limits().max_buffer_size as usize / size_of::<T>();
        let count = pieces
            .iter()
            .map(|piece| piece.len())
            .sum::<usize>()
            .min(most);
        self.count = count as u32;
        self.stride = size_of::<T>() as u64;
        if count == 0 {
            return;
        }
        let size = count as u64 * self.stride;
        let fits = |buffer: &&wgpu::Buffer| buffer.size() >= size;
        let buffer = match self.buffer.as_ref().filter(fits) {
            Some(buffer) => buffer,
            None => {
                let most = device.limits().max_buffer_size;
                let size = size.next_power_of_two().min(most);
                self.buffer.insert(vertex_buffer(device, size))
            }
        };
        let Some(size) = wgpu::BufferSize::new(size) else {
            return;
        };
        let Uploads { encoder, belt, .. } = uploads;
        let mut target = belt.write_buffer(encoder, buffer, 0, size);
        let mut at = 0;
        for piece in pieces {
            let left = target.len() - at;
            let bytes: &[u8] = bytemuck::cast_slice(piece);
            let bytes = &bytes[..bytes.len().min(left)];
            target.slice(at..at + bytes.len()).copy_from_slice(bytes);
            at += bytes.len();
        }
    }

    /// Draws all instances, each of `vertices` vertices.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        vertices: u32,
    ) {
        self.draw_range(pass, pipeline, vertices, 0..self.count);
    }

    /// Draws a range of instances.
    pub fn draw_range(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        vertices: u32,
        range: Range<u32>,
    ) {
        if let Some(count) = self.bind(pass, 0, range) {
            pass.set_pipeline(pipeline);
            pass.draw(0..vertices, 0..count);
        }
    }

    /// Binds a range of instances and returns their number; `None` when it is empty.
    fn bind(&self, pass: &mut wgpu::RenderPass<'_>, slot: u32, range: Range<u32>) -> Option<u32> {
        let count = range.end.min(self.count).saturating_sub(range.start);
        let buffer = self.buffer.as_ref().filter(|_| count > 0)?;
        // OpenGL has no first instance: the slice starts at it.
        pass.set_vertex_buffer(slot, buffer.slice(u64::from(range.start) * self.stride..));
        Some(count)
    }
}

fn vertex_buffer(device: &wgpu::Device, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("viewport"),
        size,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// The instances of a draw list.
#[derive(Default)]
pub struct ListBuffers {
    revision: u64,
    pub spheres: GrowingBuffer,
    pub capsules: GrowingBuffer,
    /// The instances of all batches in sequence.
    pub meshes: GrowingBuffer,
    pub lines: GrowingBuffer,
}

impl ListBuffers {
    /// Uploads all anew the next time.
    pub fn forget(&mut self) {
        self.revision = 0;
    }

    pub fn upload(&mut self, uploads: &mut Uploads<'_>, list: &DrawList) {
        if self.revision == list.revision {
            return;
        }
        self.revision = list.revision;
        self.spheres.write(uploads, &[&list.spheres]);
        self.capsules.write(uploads, &[&list.capsules]);
        self.lines.write(uploads, &[&list.lines]);
        let batches = list.meshes.iter().map(|batch| batch.instances.as_slice());
        self.meshes.write(uploads, &batches.collect::<Vec<_>>());
    }
}

/// The vertex buffers of meshes, by the address of their geometry.
#[derive(Default)]
pub struct MeshBuffers(HashMap<usize, Uploaded>);

/// The vertices of a geometry, in as many buffers as the device needs.
struct Uploaded {
    /// Keeps the address from being reused.
    geometry: Weak<Geometry>,
    parts: Vec<(wgpu::Buffer, u32)>,
}

impl MeshBuffers {
    /// Uploads new meshes and removes unused ones. Returns false while a geometry is still being built.
    pub fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &RenderScene,
    ) -> bool {
        self.0
            .retain(|_, uploaded| uploaded.geometry.strong_count() > 0);
        let batches = scene.lists.iter().flat_map(|list| &list.meshes);
        let translucent = scene.lists.iter().flat_map(|list| &list.translucent);
        let translucent = translucent.filter_map(|one| match one {
            Translucent::Mesh { geometry, .. } => Some(geometry),
            Translucent::Capsule(_) => None,
        });
        let mut complete = true;
        for geometry in batches.map(|batch| &batch.geometry).chain(translucent) {
            if self.0.contains_key(&Arc::as_ptr(geometry).addr()) {
                continue;
            }
            match geometry.built() {
                Some(built) => self.add(device, queue, geometry, &built.vertices),
                None => complete = false,
            }
        }
        complete
    }

    fn add(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        geometry: &Arc<Geometry>,
        vertices: &[MeshVertex],
    ) {
        // Whole triangles.
        let most = device.limits().max_buffer_size as usize / size_of::<[MeshVertex; 3]>() * 3;
        let parts = vertices.chunks(most.max(3)).map(|part| {
            let bytes: &[u8] = bytemuck::cast_slice(part);
            let buffer = vertex_buffer(device, bytes.len() as u64);
            queue.write_buffer(&buffer, 0, bytes);
            (buffer, part.len() as u32)
        });
        let uploaded = Uploaded {
            geometry: Arc::downgrade(geometry),
            parts: parts.collect(),
        };
        self.0.insert(Arc::as_ptr(geometry).addr(), uploaded);
    }

    /// Draws a range of instances of a geometry; nothing while it is not uploaded.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        geometry: &Arc<Geometry>,
        instances: &GrowingBuffer,
        range: Range<u32>,
    ) {
        let uploaded = self.0.get(&Arc::as_ptr(geometry).addr());
        let (Some(uploaded), Some(count)) = (uploaded, instances.bind(pass, 1, range)) else {
            return;
        };
        for (vertices, corners) in &uploaded.parts {
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.draw(0..*corners, 0..count);
        }
    }
}
