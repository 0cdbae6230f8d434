use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

/// A directory of its own, removed at the end, by the name that the kernel knows it by.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("agentscope-host-{}", uuid::Uuid::new_v4()));
        fs::create_dir(&path).unwrap();
        Scratch(fs::canonicalize(path).unwrap())
    }

    fn path(&self, below: &str) -> String {
        format!("{}/{below}", self.0.display())
    }

    fn dir(&self, below: &str) {
        fs::create_dir_all(self.0.join(below)).unwrap();
    }

    fn file(&self, below: &str) {
        fs::write(self.0.join(below), "").unwrap();
    }

    fn link(&self, below: &str, target: &str) {
        symlink(target, self.0.join(below)).unwrap();
    }

    /// Where a path of the scratch directory leads, seen from it if it stays inside.
    fn resolve(&self, below: &str) -> String {
        let resolved = resolve(&self.path(below)).unwrap();
        resolved.strip_prefix(&self.path("")).map_or(resolved.clone(), str::to_owned)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn what_exists_resolves_as_the_kernel_says() {
    let scratch = Scratch::new();
    scratch.dir("a/b");
    scratch.file("a/b/file");
    scratch.link("one", "a/b");
    scratch.link("two", "./one/../b/");
    scratch.link("three", &scratch.path("two/file"));
    for path in
        ["a", "a/./b//file", "one", "one/file", "one/..", "two", "two/file", "two/../..", "three", "one/../../two"]
    {
        let path = scratch.path(path);
        assert_eq!(resolve(&path).unwrap(), fs::canonicalize(&path).unwrap().to_str().unwrap(), "{path}");
    }
}

#[test]
fn the_parent_of_a_link_is_the_parent_of_its_target() {
    let scratch = Scratch::new();
    scratch.dir("a/b");
    scratch.dir("c");
    scratch.link("c/link", "../a/b");
    assert_eq!(scratch.resolve("c/link/../x"), "a/x");
}

#[test]
fn a_link_that_leads_nowhere_is_followed() {
    let scratch = Scratch::new();
    scratch.link("ln", "/no-such-folder/./sub/../new");
    scratch.link("relative", "gone/new");
    assert_eq!(scratch.resolve("ln"), "/no-such-folder/new");
    assert_eq!(scratch.resolve("ln/x"), "/no-such-folder/new/x");
    assert_eq!(scratch.resolve("relative"), "gone/new");
}

#[test]
fn what_is_not_there_is_kept_and_folded() {
    let scratch = Scratch::new();
    assert_eq!(scratch.resolve("a//./b/../c/"), "a/c");
    assert_eq!(resolve("/../../no-such-folder").unwrap(), "/no-such-folder");
    assert_eq!(resolve("//").unwrap(), "/");
}

#[test]
fn links_count_again_after_going_up_from_what_is_not_there() {
    let scratch = Scratch::new();
    scratch.link("ln", "/no-such-folder");
    assert_eq!(scratch.resolve("gone/sub/../../ln/x"), "/no-such-folder/x");
}

#[test]
fn what_stands_behind_a_file_is_kept() {
    let scratch = Scratch::new();
    scratch.file("file");
    assert_eq!(scratch.resolve("file/x/y"), "file/x/y");
    assert_eq!(scratch.resolve("file/x/../y"), "file/y");
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let scratch = Scratch::new();
    scratch.file("0");
    for number in 1..=41 {
        scratch.link(&number.to_string(), &(number - 1).to_string());
    }
    assert_eq!(scratch.resolve("40"), "0");
    let error = resolve(&scratch.path("41")).unwrap_err().to_string();
    assert!(error.contains("more than 40 symbolic links"), "{error}");
}

#[test]
fn links_in_circles_are_an_error() {
    let scratch = Scratch::new();
    scratch.link("a", "b");
    scratch.link("b", "a");
    assert!(resolve(&scratch.path("a/x")).is_err());
}

#[test]
fn a_directory_that_may_not_be_searched_is_an_error() {
    let scratch = Scratch::new();
    scratch.dir("closed");
    scratch.file("closed/file");
    let set = |mode| fs::set_permissions(scratch.0.join("closed"), fs::Permissions::from_mode(mode)).unwrap();
    set(0o000);
    // The superuser may search everything.
    let searchable = fs::symlink_metadata(scratch.path("closed/file")).is_ok();
    let result = resolve(&scratch.path("closed/file"));
    set(0o700);
    if !searchable {
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}

#[test]
fn a_name_that_is_too_long_is_an_error() {
    assert!(resolve(&format!("/{}", "x".repeat(300))).is_err());
}

#[test]
fn a_path_without_a_name_or_with_nul_is_an_error() {
    for path in ["", "/etc\0/passwd", "\0"] {
        assert_eq!(resolve(path).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{path:?}");
    }
}

#[test]
fn a_target_that_is_not_utf8_is_an_error() {
    use std::os::unix::ffi::OsStrExt;

    let scratch = Scratch::new();
    symlink(std::ffi::OsStr::from_bytes(b"caf\xe9"), scratch.0.join("ln")).unwrap();
    assert_eq!(resolve(&scratch.path("ln")).unwrap_err().kind(), io::ErrorKind::InvalidData);
}

#[test]
fn a_tilde_is_a_name_like_any_other() {
    let scratch = Scratch::new();
    assert_eq!(scratch.resolve("~/x"), "~/x");
}

#[tokio::test]
async fn every_path_has_a_result_of_its_own() {
    let paths = ["/no-such-folder/x", "a\0", "no-such-file"].map(str::to_owned);
    let results = canonicalize_all(&paths).await;
    assert_eq!(results[0].as_deref().unwrap(), "/no-such-folder/x");
    assert!(results[1].is_err());
    let cwd = canonicalize(&cwd().await.unwrap()).await.unwrap();
    assert_eq!(results[2].as_deref().unwrap(), format!("{cwd}/no-such-file"));
}

#[test]
fn it_works_without_a_runtime() {
    let mut waiting = std::pin::pin!(canonicalize("/no-such-folder/../x"));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(resolved) = waiting.as_mut().poll(&mut context) else { panic!("it waits") };
    assert_eq!(resolved.unwrap(), "/x");
}
