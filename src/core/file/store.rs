//! Files in object stores, named by their addresses: `s3://bucket/runs/level.jsonl`.
//!
//! Access and region come from the usual variables of the environment (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL`, ..).

use std::path::Path;

#[cfg(feature = "object-store")]
pub use with_store::{identity, list, open, size};
#[cfg(not(feature = "object-store"))]
pub use without_store::{identity, list, open, size};

/// Returns true for the address of an object, or of a folder of objects.
pub fn is_stored(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.starts_with("s3://"))
}

#[cfg(not(feature = "object-store"))]
mod without_store {
    use crate::core::file::Opened;
    use crate::core::problem::Problem;
    use std::path::{Path, PathBuf};

    fn missing(path: &Path) -> Problem {
        let what = "this hitstop reads no object stores";
        let help = "build it with `--features object-store`, or copy the files to a folder";
        Problem::new(path.display().to_string(), what, help)
    }

    /// Always an error.
    ///
    /// # Errors
    /// That the feature is missing.
    pub fn open(path: &Path) -> Result<Opened<'static>, Problem> {
        Err(missing(path))
    }

    /// Always an error.
    ///
    /// # Errors
    /// That the feature is missing.
    pub fn list(path: &Path) -> Result<Vec<PathBuf>, Problem> {
        Err(missing(path))
    }

    /// Always `None`.
    pub fn size(_: &Path) -> Option<u64> {
        None
    }

    /// Always `None`.
    pub fn identity(_: &Path) -> Option<String> {
        None
    }
}

#[cfg(feature = "object-store")]
mod with_store {
    use crate::core::file::data::temporary_file;
    use crate::core::file::{OnDisk, Opened, SeekableFile};
    use crate::core::problem::Problem;
    use futures_util::TryStreamExt;
    use object_store::path::Path as Key;
    use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, parse_url_opts};
    use std::collections::HashMap;
    use std::io::{BufReader, Seek, Write};
    use std::path::{Path, PathBuf};
    use std::sync::{Arc, Mutex, OnceLock, PoisonError};
    use tokio::runtime::{Builder, Runtime};
    use url::Url;

    /// A store, and the key of an object in it.
    type Place = (Arc<dyn ObjectStore>, Key);

    /// Runs the requests.
    fn runtime() -> Result<&'static Runtime, String> {
        static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
        let runtime = RUNTIME.get_or_init(|| {
            let built = Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build();
            built.map_err(|error| error.to_string())
        });
        runtime.as_ref().map_err(Clone::clone)
    }

    /// The place of an address. The store of a bucket is set up once.
    fn place(path: &Path) -> Result<Place, String> {
        static STORES: Mutex<Option<HashMap<String, Arc<dyn ObjectStore>>>> = Mutex::new(None);
        let url = path.to_str().ok_or("the address is no text")?;
        let url = Url::parse(url).map_err(|error| error.to_string())?;
        let key = Key::from_url_path(url.path()).map_err(|error| error.to_string())?;
        let bucket = url.host_str().unwrap_or_default().to_owned();
        let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
        let stores = stores.get_or_insert_default();
        if let Some(store) = stores.get(&bucket) {
            return Ok((Arc::clone(store), key));
        }
        let variables = std::env::vars().filter(|(name, _)| name.starts_with("AWS_"));
        let variables = variables.map(|(name, value)| (name.to_ascii_lowercase(), value));
        let (store, _) = parse_url_opts(&url, variables).map_err(|error| error.to_string())?;
        let store: Arc<dyn ObjectStore> = Arc::from(store);
        stores.insert(bucket, Arc::clone(&store));
        Ok((store, key))
    }

    fn failed(path: &Path, error: &Error) -> Problem {
        let (what, help) = match error {
            Error::NotFound { .. } => ("there is no such object".to_owned(), "check the address"),
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => (
                "this object may not be read".to_owned(),
                "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
            ),
            Error::Generic { .. } if error.to_string().contains("NoSuchBucket") => {
                ("there is no such bucket".to_owned(), "check the address")
            }
            _ => (
                format!("the object store cannot be read: {error}"),
                "check AWS_ENDPOINT_URL, AWS_REGION and the access keys",
            ),
        };
        Problem::new(path.display().to_string(), what, help)
    }

    fn no_place(path: &Path, what: String) -> Problem {
        let help = "write s3://BUCKET/PATH";
        Problem::new(path.display().to_string(), what, help)
    }

    /// An object as a stream: it is copied to a temporary file first, so that it can be read in any order.
    ///
    /// # Errors
    /// When there is no such object, it may not be read, or there is no room for the copy.
    pub fn open(path: &Path) -> Result<Opened<'static>, Problem> {
        let wrong = |what: String| no_place(path, what);
        let (store, key) = place(path).map_err(wrong)?;
        let no_copy = |error: std::io::Error| {
            let what = format!("the copy of the object cannot be written: {error}");
            Problem::new(
                path.display().to_string(),
                what,
                "make room in the temporary folder",
            )
        };
        let mut file = temporary_file().map_err(no_copy)?;
        let copied = runtime().map_err(wrong)?.block_on(async {
            let mut bytes = store.get(&key).await?.into_stream();
            while let Some(part) = bytes.try_next().await? {
                if let Err(error) = file.write_all(&part) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(()))
        });
        copied
            .map_err(|error| failed(path, &error))?
            .map_err(no_copy)?;
        file.rewind().map_err(no_copy)?;
        let length = file.metadata().map_err(no_copy)?.len();
        let same = file.try_clone().ok();
        Ok(Opened {
            length,
            file: same.map(|file| SeekableFile { file, length }),
            input: Box::new(BufReader::with_capacity(1 << 16, OnDisk(file))),
        })
    }

    /// The addresses of all objects below one, sorted.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn list(path: &Path) -> Result<Vec<PathBuf>, Problem> {
        let wrong = |what: String| no_place(path, what);
        let (store, key) = place(path).map_err(wrong)?;
        let listed = runtime()
            .map_err(wrong)?
            .block_on(store.list(Some(&key)).try_collect());
        let listed: Vec<ObjectMeta> = listed.map_err(|error| failed(path, &error))?;
        let bucket = path.to_str().unwrap_or_default();
        let bucket: Vec<&str> = bucket.splitn(4, '/').take(3).collect();
        let address = |object: &ObjectMeta| format!("{}/{}", bucket.join("/"), object.location);
        let mut known = known();
        let mut all: Vec<PathBuf> = listed
            .into_iter()
            .map(|object| {
                let path = PathBuf::from(address(&object));
                known.insert(path.clone(), object);
                path
            })
            .collect();
        all.sort();
        Ok(all)
    }

    /// What is known of objects.
    fn known() -> std::sync::MutexGuard<'static, HashMap<PathBuf, ObjectMeta>> {
        static KNOWN: OnceLock<Mutex<HashMap<PathBuf, ObjectMeta>>> = OnceLock::new();
        let known = KNOWN.get_or_init(Mutex::default);
        known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the store says of an object: from the list, or by a request.
    fn head(path: &Path) -> Option<ObjectMeta> {
        if let Some(object) = known().get(path) {
            return Some(object.clone());
        }
        let (store, key) = place(path).ok()?;
        let object = runtime().ok()?.block_on(store.head(&key)).ok()?;
        known().insert(path.to_path_buf(), object.clone());
        Some(object)
    }

    /// Bytes of an object; `None` if the store does not say it.
    pub fn size(path: &Path) -> Option<u64> {
        head(path).map(|object| object.size)
    }

    /// Identifies one state of an object: its address, size and entity tag. `None` if the store does not say it.
    pub fn identity(path: &Path) -> Option<String> {
        let object = head(path)?;
        Some(format!(
            "{} {} {}",
            object.size,
            object.e_tag?,
            path.display()
        ))
    }
}
