//! Which renderer the window runs on.

use eframe::wgpu;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The environment variable that decides: `gpu` or `software`.
const VARIABLE: &str = "HITSTOP_RENDERER";

/// What the person asked for, if anything.
pub fn asked() -> Option<bool> {
    match std::env::var(VARIABLE).ok()?.as_str() {
        "gpu" => Some(true),
        "software" => Some(false),
        _ => None,
    }
}

/// Which renderer the window should run on: wgpu where there is a real GPU, else glow with the rasteriser.
///
/// `HITSTOP_RENDERER=gpu` or `software` decides instead. Asking the machine takes up to a few tenths of a second.
pub fn choose_renderer() -> eframe::Renderer {
    if asked().unwrap_or_else(has_gpu) {
        eframe::Renderer::Wgpu
    } else {
        eframe::Renderer::Glow
    }
}

fn has_gpu() -> bool {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = ready(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    adapters
        .unwrap_or_default()
        .iter()
        .any(|adapter| is_real(&adapter.get_info()))
}

/// Not a program that plays a GPU.
pub fn is_real(info: &wgpu::AdapterInfo) -> bool {
    let software = [
        "llvmpipe",
        "lavapipe",
        "swiftshader",
        "softpipe",
        "basic render",
    ];
    let name = info.name.to_lowercase();
    info.device_type != wgpu::DeviceType::Cpu && !software.iter().any(|word| name.contains(word))
}

/// The value of a future that is ready at once, as those of native wgpu are.
fn ready<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
