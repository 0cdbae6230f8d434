//! What a test does to a tree of files beforehand, and a backend never does.

use std::collections::BTreeMap;

use super::node::Body;
use super::tree::Tree;
use crate::backend::{BackendError, BackendErrorKind, FileTime, Operation, path};

impl Tree {
    pub(super) fn make_dirs(&mut self, cwd: &str, path: &str) -> Result<(), BackendError> {
        let place = self.find(Operation::Write, cwd, path, true)?;
        match place.node.and_then(|inode| self.stat_of(inode)) {
            Some(stat) if stat.is_dir() => Ok(()),
            Some(_) => Err(BackendError::new(Operation::Write, path, BackendErrorKind::NotADirectory)),
            None => self.add_new(cwd, path, Body::Directory(BTreeMap::new()), 0o755),
        }
    }

    pub(super) fn symlink(&mut self, cwd: &str, path: &str, target: &str) -> Result<(), BackendError> {
        self.add_new(cwd, path, Body::Symlink(target.into()), 0o777)
    }

    pub(super) fn fifo(&mut self, cwd: &str, path: &str) -> Result<(), BackendError> {
        self.add_new(cwd, path, Body::Fifo, 0o644)
    }

    pub(super) fn hard_link(&mut self, cwd: &str, path: &str, existing: &str) -> Result<(), BackendError> {
        let inode = self.existing(Operation::Write, cwd, existing, false)?;
        let place = self.find(Operation::Write, cwd, path, false)?;
        let (Some(parent), Some(name), None) = (path::parent(&place.path), path::file_name(&place.path), place.node)
        else {
            return Err(BackendError::new(Operation::Write, path, BackendErrorKind::AlreadyExists));
        };
        self.make_parents(&place)?;
        self.directory(Operation::Write, parent)?.insert(name.into(), inode);
        self.change(inode, |node| node.links += 1);
        Ok(())
    }

    pub(super) fn set_mode(&mut self, cwd: &str, path: &str, mode: u32) -> Result<(), BackendError> {
        let inode = self.existing(Operation::Write, cwd, path, true)?;
        self.change(inode, |node| node.mode = mode & 0o7777);
        Ok(())
    }

    pub(super) fn set_mtime(&mut self, cwd: &str, path: &str, mtime: FileTime) -> Result<(), BackendError> {
        let inode = self.existing(Operation::Write, cwd, path, true)?;
        self.change(inode, |node| node.mtime = mtime);
        Ok(())
    }

    fn add_new(&mut self, cwd: &str, path: &str, body: Body, mode: u32) -> Result<(), BackendError> {
        let follow = matches!(body, Body::Directory(_));
        let place = self.find(Operation::Write, cwd, path, follow)?;
        if place.node.is_some() {
            return Err(BackendError::new(Operation::Write, path, BackendErrorKind::AlreadyExists));
        }
        self.make_parents(&place)?;
        self.put(Operation::Write, &place.path, body, mode).map(drop)
    }
}
