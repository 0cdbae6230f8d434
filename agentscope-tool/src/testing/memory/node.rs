//! One file, directory or link in memory.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::backend::{FileId, FileKind, FileTime, Stat};

pub(super) type Inode = u64;

pub(super) struct Node {
    pub(super) body: Body,
    pub(super) mode: u32,
    pub(super) mtime: FileTime,
    pub(super) ctime: FileTime,
    pub(super) links: u64,
}

pub(super) enum Body {
    File(Bytes),
    Directory(BTreeMap<String, Inode>),
    Symlink(String),
    Fifo,
}

impl Node {
    pub(super) fn stat(&self, inode: Inode) -> Stat {
        let (kind, size) = match &self.body {
            Body::File(content) => (FileKind::File, content.len()),
            Body::Directory(names) => (FileKind::Directory, names.len()),
            Body::Symlink(target) => (FileKind::Symlink, target.len()),
            Body::Fifo => (FileKind::Fifo, 0),
        };
        let Self { mode, mtime, ctime, links, .. } = *self;
        Stat { kind, size: size as u64, mtime, ctime, mode, id: FileId { device: 1, inode }, links }
    }
}
