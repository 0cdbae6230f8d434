//! A largest size of files, as a full disk would set it.

use std::io;

use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use serde_json::Value;
use tokio::signal::unix::{SignalKind, signal};

/// While it lives, no file that this process writes grows larger than a case allows.
pub(super) struct SizeLimit(Option<Rlimit>);

impl SizeLimit {
    pub(super) fn new(limit: &Value) -> io::Result<Self> {
        let Some(bytes) = limit.as_u64() else { return Ok(Self(None)) };
        // Who goes past the limit is told by a signal, which would end this process.
        let _ = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?;
        let before = getrlimit(Resource::Fsize);
        setrlimit(Resource::Fsize, Rlimit { current: Some(bytes), maximum: before.maximum })?;
        Ok(Self(Some(before)))
    }
}

impl Drop for SizeLimit {
    fn drop(&mut self) {
        if let Some(before) = self.0.take() {
            let _ = setrlimit(Resource::Fsize, before);
        }
    }
}
