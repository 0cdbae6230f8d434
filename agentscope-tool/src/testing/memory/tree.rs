//! A tree of files in memory: what a backend does with it.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::node::{Body, Inode, Node};
use crate::backend::{
    BackendError, BackendErrorKind, DirEntry, Expect, FileKind, FileTime, Operation, Removal, Stat, WriteOptions,
    Written, nameless, path,
};

type Kind = BackendErrorKind;

const ROOT: Inode = 1;
const MAX_LINKS: usize = 40;
/// 2000-01-01 in UTC.
const START: i64 = 946_684_800;

pub(super) struct Tree {
    nodes: BTreeMap<Inode, Node>,
    last: Inode,
    clock: FileTime,
}

/// Where a path leads.
pub(super) struct Place {
    /// The path without links.
    pub(super) path: String,
    /// What is there.
    pub(super) node: Option<Inode>,
}

impl Default for Tree {
    fn default() -> Self {
        let mut tree = Self { nodes: BTreeMap::new(), last: ROOT - 1, clock: FileTime::new(START, 0) };
        tree.add(Body::Directory(BTreeMap::new()), 0o755);
        tree
    }
}

impl Tree {
    pub(super) fn canonicalize(&self, cwd: &str, path: &str) -> Result<String, BackendError> {
        Ok(self.find(Operation::Canonicalize, cwd, path, true)?.path)
    }

    pub(super) fn stat(&self, cwd: &str, path: &str, follow: bool) -> Result<Stat, BackendError> {
        let inode = self.existing(Operation::Stat, cwd, path, follow)?;
        self.stat_of(inode).ok_or_else(|| BackendError::new(Operation::Stat, path, Kind::NotFound))
    }

    pub(super) fn read(&self, cwd: &str, path: &str) -> Result<(Stat, Bytes), BackendError> {
        let inode = self.existing(Operation::Read, cwd, path, true)?;
        let error = |kind| BackendError::new(Operation::Read, path, kind);
        let (Some(node), Some(stat)) = (self.nodes.get(&inode), self.stat_of(inode)) else {
            return Err(error(Kind::NotFound));
        };
        match &node.body {
            Body::File(_) if node.mode & 0o400 == 0 => Err(error(Kind::PermissionDenied)),
            Body::File(content) => Ok((stat, content.clone())),
            _ => Err(stat.kind.not_a_file(Operation::Read, path)),
        }
    }

    pub(super) fn list(&self, cwd: &str, path: &str) -> Result<Vec<DirEntry>, BackendError> {
        let inode = self.existing(Operation::List, cwd, path, true)?;
        let error = |kind| BackendError::new(Operation::List, path, kind);
        let Some(Node { body: Body::Directory(names), mode, .. }) = self.nodes.get(&inode) else {
            return Err(error(Kind::NotADirectory));
        };
        if mode & 0o400 == 0 {
            return Err(error(Kind::PermissionDenied));
        }
        let kind = |inode| self.stat_of(inode).map_or(FileKind::Unknown, |stat| stat.kind);
        Ok(names.iter().map(|(name, inode)| DirEntry::new(name.clone().into_bytes(), kind(*inode))).collect())
    }

    pub(super) fn write(
        &mut self,
        cwd: &str,
        path: &str,
        content: Bytes,
        options: &WriteOptions,
    ) -> Result<Written, BackendError> {
        let error = |kind| BackendError::new(Operation::Write, path, kind);
        let place = self.find(Operation::Write, cwd, path, true)?;
        let before = place.node.and_then(|inode| self.stat_of(inode));
        match (options.expectation(), before) {
            (Expect::Nothing, Some(_)) => return Err(error(Kind::AlreadyExists)),
            (Expect::Unchanged(expected), before) if before != Some(expected) => return Err(error(Kind::Changed)),
            _ => {}
        }
        match before {
            Some(stat) if !stat.is_file() => return Err(stat.kind.not_a_file(Operation::Write, path)),
            Some(stat) if stat.mode & 0o200 == 0 => return Err(error(Kind::PermissionDenied)),
            None if path.ends_with('/') => return Err(error(Kind::IsADirectory)),
            _ => {}
        }
        if options.makes_parents() {
            self.make_parents(&place).map_err(|failed| error(failed.kind()))?;
        }
        let mode = before.map_or(options.new_file_mode().unwrap_or(0o666) & !0o022, |stat| stat.mode);
        let inode = self
            .put(Operation::Write, &place.path, Body::File(content), mode)
            .map_err(|failed| error(failed.kind()))?;
        let stat = self.stat_of(inode).ok_or_else(|| error(Kind::NotFound))?;
        Ok(Written::new(stat, before.is_none(), before.map_or(0, |stat| stat.links - 1)))
    }

    pub(super) fn remove(&mut self, cwd: &str, path: &str, what: Removal) -> Result<(), BackendError> {
        let error = |kind| BackendError::new(Operation::Remove, path, kind);
        if path::file_name(path).is_none() {
            return Err(nameless(path));
        }
        let path = path.trim_end_matches('/');
        let inode = self.existing(Operation::Remove, cwd, path, false)?;
        let place = self.find(Operation::Remove, cwd, path, false)?;
        if what != Removal::Tree && self.stat_of(inode).is_some_and(|stat| stat.is_dir()) {
            return Err(error(Kind::IsADirectory));
        }
        let (Some(parent), Some(name)) = (path::parent(&place.path), path::file_name(&place.path)) else {
            return Err(nameless(path));
        };
        self.directory(Operation::Remove, parent)?.remove(name);
        self.forget(inode);
        Ok(())
    }

    /// Walks a path from the root, one name after the other.
    pub(super) fn find(
        &self,
        operation: Operation,
        cwd: &str,
        path: &str,
        follow: bool,
    ) -> Result<Place, BackendError> {
        let error = |kind| BackendError::new(operation, path, kind);
        if path.is_empty() || path.contains('\0') {
            return Err(error(Kind::InvalidInput));
        }
        let mut pending: Vec<String> = path::join(cwd, path).split('/').rev().map(Into::into).collect();
        // The names on the way, each with what is there.
        let mut way: Vec<(String, Option<Inode>)> = Vec::new();
        let mut links = 0;
        while let Some(name) = pending.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." => {
                    way.pop();
                    continue;
                }
                _ => {}
            }
            let above = way.last().map_or(Some(ROOT), |(_, node)| *node).and_then(|inode| self.nodes.get(&inode));
            let node = match above {
                Some(Node { body: Body::Directory(_), mode, .. }) if mode & 0o100 == 0 => {
                    return Err(error(Kind::PermissionDenied));
                }
                Some(Node { body: Body::Directory(names), .. }) => names.get(&name).copied(),
                _ => None,
            };
            let is_last = pending.iter().all(String::is_empty);
            match node.and_then(|inode| self.nodes.get(&inode)) {
                Some(Node { body: Body::Symlink(target), .. }) if follow || !is_last => {
                    links += 1;
                    if links > MAX_LINKS {
                        let reason = "it leads through more than 40 symbolic links";
                        return Err(BackendError::other(operation, path, reason));
                    }
                    if target.starts_with('/') {
                        way.clear();
                    }
                    pending.extend(target.split('/').rev().map(Into::into));
                }
                _ => way.push((name, node)),
            }
        }
        let node = way.last().map_or(Some(ROOT), |(_, node)| *node);
        let resolved = way.iter().fold(String::new(), |path, (name, _)| path + "/" + name);
        Ok(Place { path: if resolved.is_empty() { "/".into() } else { resolved }, node })
    }

    pub(super) fn existing(
        &self,
        operation: Operation,
        cwd: &str,
        path: &str,
        follow: bool,
    ) -> Result<Inode, BackendError> {
        let place = self.find(operation, cwd, path, follow)?;
        if let Some(inode) = place.node {
            return Ok(inode);
        }
        // What stands behind a file is not merely missing.
        let mut above = path::parent(&place.path);
        while let Some(directory) = above {
            match self.find(operation, "/", directory, true)?.node.and_then(|inode| self.stat_of(inode)) {
                Some(stat) if !stat.is_dir() => return Err(BackendError::new(operation, path, Kind::NotADirectory)),
                Some(_) => break,
                None => above = path::parent(directory),
            }
        }
        Err(BackendError::new(operation, path, Kind::NotFound))
    }

    pub(super) fn stat_of(&self, inode: Inode) -> Option<Stat> {
        self.nodes.get(&inode).map(|node| node.stat(inode))
    }

    /// The names of a directory, which are about to change.
    pub(super) fn directory(
        &mut self,
        operation: Operation,
        path: &str,
    ) -> Result<&mut BTreeMap<String, Inode>, BackendError> {
        let error = |kind| BackendError::new(operation, path, kind);
        let inode = self.existing(operation, "/", path, true)?;
        let now = self.tick();
        match self.nodes.get_mut(&inode) {
            Some(Node { body: Body::Directory(_), mode, .. }) if *mode & 0o200 == 0 => {
                Err(error(Kind::PermissionDenied))
            }
            Some(Node { body: Body::Directory(names), mtime, ctime, .. }) => {
                (*mtime, *ctime) = (now, now);
                Ok(names)
            }
            _ => Err(error(Kind::NotADirectory)),
        }
    }

    pub(super) fn make_parents(&mut self, place: &Place) -> Result<(), BackendError> {
        let mut made = String::new();
        for name in path::parent(&place.path).unwrap_or_default().split('/').filter(|name| !name.is_empty()) {
            made = format!("{made}/{name}");
            match self.find(Operation::Write, "/", &made, true)?.node.and_then(|inode| self.stat_of(inode)) {
                Some(stat) if stat.is_dir() => {}
                Some(_) => return Err(BackendError::new(Operation::Write, made, Kind::NotADirectory)),
                None => drop(self.put(Operation::Write, &made, Body::Directory(BTreeMap::new()), 0o755)?),
            }
        }
        Ok(())
    }

    /// Puts a new node at a path without links, in place of what is there.
    pub(super) fn put(
        &mut self,
        operation: Operation,
        path: &str,
        body: Body,
        mode: u32,
    ) -> Result<Inode, BackendError> {
        let (Some(parent), Some(name)) = (path::parent(path), path::file_name(path)) else {
            return Err(BackendError::new(operation, path, Kind::IsADirectory));
        };
        self.directory(operation, parent)?;
        let inode = self.add(body, mode);
        if let Some(old) = self.directory(operation, parent)?.insert(name.into(), inode) {
            self.forget(old);
        }
        Ok(inode)
    }

    /// Does something to a node itself.
    pub(super) fn change(&mut self, inode: Inode, change: impl FnOnce(&mut Node)) {
        let now = self.tick();
        if let Some(node) = self.nodes.get_mut(&inode) {
            change(node);
            node.ctime = now;
        }
    }

    fn add(&mut self, body: Body, mode: u32) -> Inode {
        let now = self.tick();
        self.last += 1;
        self.nodes.insert(self.last, Node { body, mode, mtime: now, ctime: now, links: 1 });
        self.last
    }

    /// One name of a node is gone; with the last one goes the node, and a directory's content with it.
    fn forget(&mut self, inode: Inode) {
        self.change(inode, |node| node.links -= 1);
        if self.nodes.get(&inode).is_none_or(|node| node.links > 0) {
            return;
        }
        if let Some(Node { body: Body::Directory(names), .. }) = self.nodes.remove(&inode) {
            for inode in names.into_values() {
                self.forget(inode);
            }
        }
    }

    fn tick(&mut self) -> FileTime {
        self.clock.seconds += 1;
        self.clock
    }
}
