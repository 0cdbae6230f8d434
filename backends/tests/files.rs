//! Files of three environments that should not differ: this machine, one of which nothing is known but how to run
//! programs in it, and one in memory.

#![cfg(all(feature = "local", unix))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use std::sync::Arc;

use agentscope_tool::async_trait;
use agentscope_tool::backend::{
    Backend, BackendError, BackendErrorKind, ByteRange, Bytes, Command, Execution, FileKind, Operation, Removal,
    WriteOptions, Written,
};
use agentscope_tool::testing::MemoryBackend;
use agentscope_tool_backends::LocalBackend;
use futures_util::StreamExt;
use proptest::prelude::*;

/// This machine through its programs alone.
#[derive(Debug)]
struct ProgramsOnly(LocalBackend);

#[async_trait]
impl Backend for ProgramsOnly {
    async fn exec(&self, command: Command) -> Result<Execution, BackendError> {
        self.0.exec(command).await
    }

    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError> {
        self.0.write(path, content, options).await
    }
}

struct Environment {
    backend: Arc<dyn Backend>,
    root: String,
    _scratch: Option<tempfile::TempDir>,
}

impl Environment {
    /// The three environments, each with the same files below an empty current directory.
    fn all() -> Vec<Self> {
        let local = |wrap: fn(LocalBackend) -> Arc<dyn Backend>| {
            let scratch = tempfile::tempdir().unwrap();
            let root = scratch.path().canonicalize().unwrap();
            let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, root.join(name)).unwrap();
            std::fs::create_dir_all(root.join("dir/sub")).unwrap();
            std::fs::write(root.join("dir/a.txt"), "first\n").unwrap();
            std::fs::hard_link(root.join("dir/a.txt"), root.join("other")).unwrap();
            std::fs::write(root.join("dir/.hidden"), "").unwrap();
            std::fs::write(root.join("dir/..odd"), "").unwrap();
            std::fs::write(root.join("-"), "dash").unwrap();
            std::fs::write(root.join("two\nlines $(x) '\""), "strange").unwrap();
            link("dir/a.txt", "link");
            link("dir", "to-dir");
            link("new/target", "dangling");
            link("loop", "loop");
            rustix::fs::mkfifoat(rustix::fs::CWD, root.join("fifo"), rustix::fs::Mode::RUSR).unwrap();
            Self {
                backend: wrap(LocalBackend::in_directory(&root).unwrap()),
                root: root.to_str().unwrap().into(),
                _scratch: Some(scratch),
            }
        };
        let memory = MemoryBackend::new()
            .in_directory("/srv/root")
            .dir("dir/sub")
            .file("dir/a.txt", "first\n")
            .hard_link("other", "dir/a.txt")
            .file("dir/.hidden", "")
            .file("dir/..odd", "")
            .file("-", "dash")
            .file("two\nlines $(x) '\"", "strange")
            .symlink("link", "dir/a.txt")
            .symlink("to-dir", "dir")
            .symlink("dangling", "new/target")
            .symlink("loop", "loop")
            .fifo("fifo");
        vec![
            local(|backend| Arc::new(backend)),
            local(|backend| Arc::new(ProgramsOnly(backend))),
            Self { backend: Arc::new(memory), root: "/srv/root".into(), _scratch: None },
        ]
    }

    async fn text(&self, path: &str) -> String {
        String::from_utf8(self.backend.read(path, 1 << 20).await.unwrap().bytes.to_vec()).unwrap()
    }

    async fn part(&self, path: &str, range: impl Into<ByteRange>) -> String {
        let stream = self.backend.read_stream(path, range.into()).await.unwrap();
        String::from_utf8(stream.collect(u64::MAX).await.unwrap().bytes.to_vec()).unwrap()
    }
}

#[tokio::test]
async fn what_is_at_a_path_is_told() {
    for Environment { backend, .. } in Environment::all() {
        let stat = backend.stat("dir/a.txt").await.unwrap();
        assert_eq!((stat.kind, stat.size, stat.mode, stat.links), (FileKind::File, 6, 0o644, 2), "{backend:?}");
        assert_eq!(backend.stat("link").await.unwrap(), stat);
        assert_eq!(backend.stat("to-dir/../other").await.unwrap().id, stat.id);
        assert_eq!(backend.stat_link("link").await.unwrap().kind, FileKind::Symlink);
        assert_eq!(backend.stat("dir").await.unwrap().kind, FileKind::Directory);
        assert_eq!(backend.stat("fifo").await.unwrap().kind, FileKind::Fifo);
        assert_eq!(backend.stat("-").await.unwrap().size, 4);
        for (path, kind) in [
            ("nothing", BackendErrorKind::NotFound),
            ("dangling", BackendErrorKind::NotFound),
            ("dir/a.txt/x", BackendErrorKind::NotADirectory),
            ("loop", BackendErrorKind::Other),
            ("", BackendErrorKind::InvalidInput),
            ("a\0b", BackendErrorKind::InvalidInput),
        ] {
            let error = backend.stat(path).await.unwrap_err();
            let expected =
                if path.is_empty() && error.kind() == BackendErrorKind::NotFound { error.kind() } else { kind };
            assert_eq!(
                (error.kind(), error.operation(), error.path()),
                (expected, Operation::Stat, path),
                "{backend:?}"
            );
        }
        assert!(backend.exists("link").await.unwrap());
        assert!(!backend.exists("dangling").await.unwrap());
        assert!(!backend.exists("dir/a.txt/x").await.unwrap());
    }
}

#[tokio::test]
async fn directories_are_listed_by_name() {
    for Environment { backend, .. } in Environment::all() {
        let names = |path: &'static str| {
            let backend = Arc::clone(&backend);
            async move {
                let entries = backend.list(path).await.unwrap();
                entries.into_iter().map(|entry| (entry.name, entry.kind)).collect::<Vec<_>>()
            }
        };
        let file = |name: &str| (name.to_owned(), FileKind::File);
        let expected = [file("..odd"), file(".hidden"), file("a.txt"), ("sub".into(), FileKind::Directory)];
        assert_eq!(names("dir").await, expected, "{backend:?}");
        assert_eq!(names("to-dir/").await, expected);
        assert_eq!(names("dir/sub").await, []);
        let all = names(".").await;
        assert_eq!(all.len(), 9, "{all:?}");
        assert!(all.contains(&("loop".into(), FileKind::Symlink)) && all.contains(&("fifo".into(), FileKind::Fifo)));
        assert!(all.contains(&file("two\nlines $(x) '\"")));
        assert_eq!(backend.list("dir/a.txt").await.unwrap_err().kind(), BackendErrorKind::NotADirectory);
        assert_eq!(backend.list("nothing").await.unwrap_err().kind(), BackendErrorKind::NotFound);
    }
}

#[tokio::test]
async fn files_are_read_whole_and_in_parts() {
    for environment in Environment::all() {
        let backend = &environment.backend;
        assert_eq!(environment.text("dir/a.txt").await, "first\n");
        assert_eq!(environment.text("link").await, "first\n");
        assert_eq!(environment.text("-").await, "dash");
        assert_eq!(environment.text("two\nlines $(x) '\"").await, "strange");
        assert_eq!(environment.text("dir/.hidden").await, "");

        assert_eq!(environment.part("other", 1..4).await, "irs");
        assert_eq!(environment.part("other", 3..).await, "st\n");
        assert_eq!(environment.part("other", 3..3).await, "");
        assert_eq!(environment.part("other", 4..1_000).await, "t\n");
        assert_eq!(environment.part("other", 6..).await, "");
        assert_eq!(environment.part("other", 1_000..2_000).await, "");
        assert_eq!(environment.part("other", ..).await, "first\n");

        let content = backend.read("link", 6).await.unwrap();
        assert_eq!(content.stat, backend.stat("dir/a.txt").await.unwrap());
        let error = backend.read("link", 5).await.unwrap_err();
        assert_eq!(error.kind(), BackendErrorKind::TooLarge);
        assert!(error.to_string().contains("the limit of 5 bytes"), "{error}");

        for (path, kind) in [
            ("dir", BackendErrorKind::IsADirectory),
            ("fifo", BackendErrorKind::NotAFile),
            ("nothing", BackendErrorKind::NotFound),
            ("dangling", BackendErrorKind::NotFound),
        ] {
            let error = backend.read(path, 1_000).await.unwrap_err();
            assert_eq!((error.kind(), error.operation(), error.path()), (kind, Operation::Read, path), "{backend:?}");
            let error = backend.read_stream(path, ByteRange::ALL).await.unwrap_err();
            assert_eq!((error.kind(), error.operation(), error.path()), (kind, Operation::Read, path), "{backend:?}");
        }
    }
}

#[tokio::test]
async fn a_start_behind_all_files_gives_nothing() {
    for environment in Environment::all() {
        assert_eq!(environment.part("other", u64::MAX - 1..).await, "");
        assert_eq!(environment.part("other", u64::MAX - 9..u64::MAX).await, "");
    }
}

#[tokio::test]
async fn writing_follows_links_makes_parents_and_keeps_the_mode() {
    for environment in Environment::all() {
        let backend = &environment.backend;
        let write = |path: &'static str, options: WriteOptions| backend.write(path, Bytes::from(path), options);

        let written = write("dangling", WriteOptions::new()).await.unwrap();
        assert!(written.created);
        assert_eq!(written.stat, backend.stat("new/target").await.unwrap());
        assert_eq!(environment.text("new/target").await, "dangling");
        assert_eq!(backend.stat_link("dangling").await.unwrap().kind, FileKind::Symlink);

        let written = write("link", WriteOptions::new().mode(0o600)).await.unwrap();
        assert_eq!((written.created, written.separated_links, written.stat.mode), (false, 1, 0o644), "{backend:?}");
        assert_eq!(backend.stat_link("link").await.unwrap().kind, FileKind::Symlink);
        assert_eq!(environment.text("dir/a.txt").await, "link");
        assert_eq!(environment.text("other").await, "first\n");

        let written = write("a/b/c/tool", WriteOptions::new().mode(0o755)).await.unwrap();
        assert_eq!((written.created, written.stat.mode, written.stat.links), (true, 0o755, 1));
        assert_eq!(write("a/b/c/tool", WriteOptions::new()).await.unwrap().stat.mode, 0o755);

        assert_eq!(backend.list("a/b/c").await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn what_cannot_be_written_changes_nothing() {
    for environment in Environment::all() {
        let backend = &environment.backend;
        let before = backend.list(".").await.unwrap();
        for (path, options, kind) in [
            ("dir", WriteOptions::new(), BackendErrorKind::IsADirectory),
            ("fifo", WriteOptions::new(), BackendErrorKind::NotAFile),
            ("new-one/", WriteOptions::new(), BackendErrorKind::IsADirectory),
            ("dir/a.txt/x", WriteOptions::new(), BackendErrorKind::NotADirectory),
            ("no/parent", WriteOptions::new().parents(false), BackendErrorKind::NotFound),
            ("link", WriteOptions::new().create_new(), BackendErrorKind::AlreadyExists),
            ("loop", WriteOptions::new(), BackendErrorKind::Other),
            ("", WriteOptions::new(), BackendErrorKind::InvalidInput),
            ("a\0b", WriteOptions::new(), BackendErrorKind::InvalidInput),
            ("/", WriteOptions::new(), BackendErrorKind::IsADirectory),
        ] {
            let error = backend.write(path, "lost".into(), options).await.unwrap_err();
            assert_eq!(
                (error.kind(), error.operation(), error.path()),
                (kind, Operation::Write, path),
                "{error} {backend:?}"
            );
        }
        assert_eq!(backend.list(".").await.unwrap(), before);
        assert_eq!(environment.text("link").await, "first\n");
    }
}

#[tokio::test]
async fn a_file_that_has_changed_is_not_overwritten() {
    for environment in Environment::all() {
        let backend = &environment.backend;
        let seen = backend.stat("link").await.unwrap();
        let written = backend.write("link", "second".into(), WriteOptions::new().unchanged_since(seen)).await.unwrap();
        let error = backend.write("link", "lost".into(), WriteOptions::new().unchanged_since(seen)).await.unwrap_err();
        assert_eq!(error.kind(), BackendErrorKind::Changed);
        assert_eq!(environment.text("link").await, "second");

        backend.remove("dir/a.txt", Removal::File).await.unwrap();
        let options = WriteOptions::new().unchanged_since(written.stat);
        assert_eq!(backend.write("link", "x".into(), options).await.unwrap_err().kind(), BackendErrorKind::Changed);
        assert!(!backend.exists("link").await.unwrap());

        let made = backend.write("fresh", "1".into(), WriteOptions::new().create_new()).await.unwrap();
        assert!(made.created && made.stat == backend.stat("fresh").await.unwrap());
    }
}

#[tokio::test]
async fn links_are_removed_and_not_followed() {
    for environment in Environment::all() {
        let backend = &environment.backend;
        backend.remove("link", Removal::File).await.unwrap();
        backend.remove("to-dir/", Removal::Tree).await.unwrap();
        backend.remove("-", Removal::File).await.unwrap();
        assert_eq!(environment.text("dir/a.txt").await, "first\n");
        let error = backend.remove("dir", Removal::File).await.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (BackendErrorKind::IsADirectory, Operation::Remove));
        backend.remove("dir", Removal::Tree).await.unwrap();
        assert_eq!(backend.remove("dir", Removal::Tree).await.unwrap_err().kind(), BackendErrorKind::NotFound);
        assert_eq!(environment.text("other").await, "first\n");
        for nameless in [".", "new/..", "./"] {
            assert!(backend.remove(nameless, Removal::Tree).await.is_err());
        }
    }
}

#[tokio::test]
async fn paths_lead_where_the_kernel_would_go() {
    for Environment { backend, root, .. } in Environment::all() {
        let leads = async |path: &str| backend.canonicalize(path).await.unwrap();
        for (path, to) in [
            (".", ""),
            ("link", "/dir/a.txt"),
            ("to-dir/sub/../..", ""),
            ("to-dir//./new/x/../y", "/dir/new/y"),
            ("dangling/x", "/new/target/x"),
            ("nothing/../link", "/dir/a.txt"),
            ("dir/a.txt/x", "/dir/a.txt/x"),
            ("two\nlines $(x) '\"", "/two\nlines $(x) '\""),
            ("-", "/-"),
        ] {
            assert_eq!(leads(path).await, format!("{root}{to}"), "{backend:?}");
        }
        assert_eq!(leads("/../..").await, "/");
        assert_eq!(backend.cwd().await.unwrap(), root);
        let paths = ["loop", "", "a\0", "link"].map(String::from);
        let results = backend.canonicalize_all(&paths).await;
        assert_eq!(results.len(), 4);
        for (result, kind) in results.iter().zip([
            BackendErrorKind::Other,
            BackendErrorKind::InvalidInput,
            BackendErrorKind::InvalidInput,
        ]) {
            let error = result.as_ref().unwrap_err();
            assert_eq!((error.kind(), error.operation()), (kind, Operation::Canonicalize), "{error} {backend:?}");
        }
        assert_eq!(results[3].as_ref().unwrap(), &format!("{root}/dir/a.txt"));

        let home = backend.home().await.unwrap();
        assert!(home.starts_with('/'));
        assert_eq!(backend.expand_home("~/x").await.unwrap(), format!("{}/x", home.trim_end_matches('/')));
        assert_eq!(backend.expand_home("~").await.unwrap(), home);
        assert_eq!(backend.expand_home("~x/~").await.unwrap(), "~x/~");
    }
}

#[tokio::test]
async fn the_environments_agree_with_the_standard_library() {
    use std::os::unix::fs::MetadataExt;

    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let times =
        std::fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH - std::time::Duration::new(1, 250_000_000));
    std::fs::File::options().write(true).open(&file).unwrap().set_times(times).unwrap();
    let expected = std::fs::metadata(&file).unwrap();
    let local = LocalBackend::new();
    let one = local.stat(file.to_str().unwrap()).await.unwrap();
    let two = ProgramsOnly(local).stat(file.to_str().unwrap()).await.unwrap();
    assert_eq!(one, two);
    assert_eq!((one.mtime.seconds, one.mtime.nanos), (expected.mtime(), u32::try_from(expected.mtime_nsec()).unwrap()));
    assert_eq!(one.mtime.as_nanos(), -1_250_000_000);
    assert_eq!((one.ctime.seconds, one.id.inode, one.id.device), (expected.ctime(), expected.ino(), expected.dev()));
}

#[tokio::test]
async fn names_that_are_not_text_are_marked() {
    use std::os::unix::ffi::OsStrExt;

    let scratch = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"bad\xFF.txt");
    if std::fs::write(scratch.path().join(name), "").is_err() {
        eprintln!("skipped: the file system takes no such name");
        return;
    }
    std::fs::write(scratch.path().join("good.txt"), "").unwrap();
    let local = LocalBackend::in_directory(scratch.path()).unwrap();
    for backend in [Arc::new(ProgramsOnly(local.clone())) as Arc<dyn Backend>, Arc::new(local)] {
        let entries = backend.list(".").await.unwrap();
        assert_eq!(
            (&*entries[0].name, entries[0].is_utf8(), entries[0].name_bytes()),
            ("bad\u{FFFD}.txt", false, name.as_bytes())
        );
        assert!(entries[1].is_utf8());
    }
}

#[tokio::test]
async fn a_large_file_is_read_in_pieces() {
    let content: Vec<u8> = (0..5_000_000_u32).map(|number| (number % 251) as u8).collect();
    for environment in Environment::all() {
        let backend = &environment.backend;
        backend.write("large", content.clone().into(), WriteOptions::new().durable(false)).await.unwrap();
        let mut stream = backend.read_stream("large", (7..4_999_993).into()).await.unwrap();
        let (mut whole, mut pieces) = (Vec::new(), 0);
        while let Some(piece) = stream.next().await {
            whole.extend_from_slice(&piece.unwrap());
            pieces += 1;
        }
        assert!(whole == content[7..4_999_993], "{backend:?}");
        assert!(pieces > 3, "{pieces}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read(content in prop::collection::vec(any::<u8>(), 0..3_000), start in 0..3_100_u64, len in 0..3_100_u64) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            for environment in Environment::all() {
                let backend = &environment.backend;
                backend.write("x", content.clone().into(), WriteOptions::new().durable(false)).await.unwrap();
                assert_eq!(backend.read("x", 3_000).await.unwrap().bytes, content);
                let stream = backend.read_stream("x", ByteRange { start, len: Some(len) }).await.unwrap();
                let start = content.len().min(start as usize);
                let end = content.len().min(start + len as usize);
                assert_eq!(stream.collect(u64::MAX).await.unwrap().bytes, content[start..end]);
            }
        });
    }
}
