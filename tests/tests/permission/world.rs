//! A tree of files that is there once in memory and once on the disk.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::memory::Memory;
use super::tools::Place;

/// A directory with other directories and links in it; no name leads there through a link.
#[derive(Debug)]
pub struct World {
    root: String,
    pub place: Place,
    on_disk: Option<PathBuf>,
}

/// In the directories and links, `@` stands for the directory of the tree. One tree is in memory, one on the disk.
pub fn worlds(directories: &[&str], links: &[(&str, &str)]) -> [World; 2] {
    [in_memory(links), on_disk(directories, links)]
}

fn in_memory(links: &[(&str, &str)]) -> World {
    let root = "/r/tree".to_owned();
    let at = |text: &str| text.replace('@', &root);
    let memory = links.iter().fold(Memory::default(), |memory, (link, to)| memory.link(&at(link), &at(to)));
    World { place: Place::on(Arc::new(memory)), root, on_disk: None }
}

fn on_disk(directories: &[&str], links: &[(&str, &str)]) -> World {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("agentscope-tool-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
    let base = fs::canonicalize(std::env::temp_dir()).unwrap().join(name);
    fs::create_dir(&base).unwrap();
    let root = base.to_str().unwrap().to_owned();
    let at = |text: &str| text.replace('@', &root);
    for directory in directories {
        fs::create_dir_all(at(directory)).unwrap();
    }
    for (link, to) in links {
        std::os::unix::fs::symlink(at(to), at(link)).unwrap();
    }
    World { root, place: Place::default(), on_disk: Some(base) }
}

impl World {
    /// `text` with the tree's directory for every `@`.
    pub fn at(&self, text: &str) -> String {
        text.replace('@', &self.root)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Some(base) = &self.on_disk {
            let _ = fs::remove_dir_all(base);
        }
    }
}
