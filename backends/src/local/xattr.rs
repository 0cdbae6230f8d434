//! What a file has beside content, mode and owner: access control lists and attributes of the user.

use std::os::fd::AsFd;

/// Copies them as far as the system lets. Capabilities and signatures are not copied: they were given to the old content.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn copy(from: impl AsFd, to: impl AsFd) {
    use std::ffi::CStr;

    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, flistxattr_query, fsetxattr};

    let (from, to) = (from.as_fd(), to.as_fd());
    let Ok(size @ 1..) = flistxattr_query(from) else { return };
    let mut names = vec![0; size];
    let Ok(size) = flistxattr(from, &mut names[..]) else { return };
    for name in names[..size].split_inclusive(|byte| *byte == 0) {
        let Ok(name) = CStr::from_bytes_with_nul(name) else { continue };
        let wanted = matches!(name.to_bytes(), b"system.posix_acl_access" | b"security.selinux");
        if !wanted && !name.to_bytes().starts_with(b"user.") {
            continue;
        }
        // As large as a value may be.
        let mut value = vec![0; 64 * 1024];
        if let Ok(size) = fgetxattr(from, name, &mut value[..]) {
            let _ = fsetxattr(to, name, &value[..size], XattrFlags::empty());
        }
    }
}

/// Other systems keep them in ways of their own.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn copy(_from: impl AsFd, _to: impl AsFd) {}
