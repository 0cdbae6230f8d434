//! Writing to this machine's disk: whatever goes wrong, the file is the old or the new one, and nothing else is left.

#![cfg(all(feature = "local", unix))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use agentscope_tool::Backend;
use agentscope_tool::backend::{BackendError, BackendErrorKind, ByteRange, Bytes, WriteOptions, Written};
use agentscope_tool_backends::LocalBackend;
use futures_util::StreamExt;
use tempfile::TempDir;

async fn write(path: &Path, content: impl Into<Bytes>) -> Result<Written, BackendError> {
    LocalBackend::new().write(path.to_str().unwrap(), content.into(), WriteOptions::new()).await
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(future)
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The variable that tells this program which part to play, in a process of its own.
const PART: &str = "AGENTSCOPE_TEST_PART";

/// This test program as another process, playing a part of the test of that name.
fn part(test: &str, directory: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(PART, directory);
    command
}

fn playing() -> Option<PathBuf> {
    std::env::var_os(PART).map(PathBuf::from)
}

/// Plays a part to its end.
fn play(mut command: Command) {
    match command.output() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{:?}: {text}", output.status.signal());
        }
        Err(error) => eprintln!("skipped: this program cannot be run as that user: {error}"),
    }
}

/// Runs `test` as an ordinary user, in this process or another.
fn as_ordinary_user(name: &str, prepare: impl FnOnce(&Path), test: impl FnOnce(&Path)) {
    if let Some(directory) = playing() {
        return test(&directory);
    }
    let scratch = tempfile::tempdir().unwrap();
    prepare(scratch.path());
    if !is_root() {
        return test(scratch.path());
    }
    const NOBODY: u32 = 65_534;
    let mut pending = vec![scratch.path().to_owned()];
    while let Some(path) = pending.pop() {
        std::os::unix::fs::lchown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
        if path.is_dir() && !path.is_symlink() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    let mut command = part(name, scratch.path());
    command.uid(NOBODY).gid(NOBODY).current_dir("/");
    play(command);
}

#[tokio::test]
async fn mode_owner_and_link_stay() {
    let scratch = TempDir::new().unwrap();
    let (file, link) = (scratch.path().join("file"), scratch.path().join("link"));
    fs::write(&file, "old").unwrap();
    symlink("file", &link).unwrap();
    if is_root() {
        std::os::unix::fs::chown(&file, Some(12_345), Some(23_456)).unwrap();
    }
    set_mode(&file, 0o4751);
    let before = fs::metadata(&file).unwrap();
    let written = write(&link, "new").await.unwrap();
    let after = fs::metadata(&file).unwrap();
    assert_eq!((after.mode(), after.uid(), after.gid()), (before.mode(), before.uid(), before.gid()));
    assert_eq!(written.stat.mode, 0o4751);
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(names(scratch.path()), ["file", "link"]);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn attributes_of_the_user_stay() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("file");
    fs::write(&file, "old").unwrap();
    if let Err(error) = rustix::fs::setxattr(&file, "user.origin", b"a\0b", rustix::fs::XattrFlags::CREATE) {
        eprintln!("skipped: the file system has no attributes: {error}");
        return;
    }
    write(&file, "new").await.unwrap();
    let mut value = [0; 16];
    let size = rustix::fs::getxattr(&file, "user.origin", &mut value[..]).unwrap();
    assert_eq!(&value[..size], b"a\0b");
}

#[test]
fn a_new_file_obeys_the_umask() {
    let Some(directory) = playing() else {
        let scratch = TempDir::new().unwrap();
        play(part("a_new_file_obeys_the_umask", scratch.path()));
        return;
    };
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o027));
    block_on(async {
        assert_eq!(write(&directory.join("sub/plain"), "").await.unwrap().stat.mode, 0o640);
        let backend = LocalBackend::in_directory(&directory).unwrap();
        let tool = backend.write("tool", "".into(), WriteOptions::new().mode(0o777)).await.unwrap();
        assert_eq!(tool.stat.mode, 0o750);
    });
    assert_eq!(fs::metadata(directory.join("sub")).unwrap().mode() & 0o777, 0o750);
}

#[tokio::test]
async fn names_as_long_as_they_may_be_are_written() {
    let scratch = TempDir::new().unwrap();
    for name in ["x".repeat(255), "ä".repeat(127), "x".repeat(200), "x".repeat(201)] {
        write(&scratch.path().join(&name), name.clone()).await.unwrap();
        assert_eq!(fs::read_to_string(scratch.path().join(&name)).unwrap(), name);
    }
    assert_eq!(
        write(&scratch.path().join("x".repeat(256)), "").await.unwrap_err().kind(),
        BackendErrorKind::InvalidInput
    );
    assert_eq!(names(scratch.path()).len(), 4);
}

#[tokio::test]
async fn many_writers_do_not_mix() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("file");
    let writes = (0..40_u8).map(|number| {
        let file = file.clone();
        tokio::spawn(async move { write(&file, vec![number; 50_000]).await })
    });
    for result in futures_util::future::join_all(writes).await {
        result.unwrap().unwrap();
    }
    let content = fs::read(&file).unwrap();
    assert!(content.len() == 50_000 && content.iter().all(|byte| *byte == content[0]));
    assert_eq!(names(scratch.path()), ["file"]);
}

#[tokio::test]
async fn only_one_makes_a_new_file() {
    let scratch = TempDir::new().unwrap();
    let backend = LocalBackend::in_directory(scratch.path()).unwrap();
    let writes = (0..20).map(|number| {
        let backend = backend.clone();
        tokio::spawn(
            async move { backend.write("new", number.to_string().into(), WriteOptions::new().create_new()).await },
        )
    });
    let results = futures_util::future::join_all(writes).await;
    let made = results.iter().filter(|result| result.as_ref().unwrap().is_ok()).count();
    assert_eq!(made, 1, "{results:?}");
    assert_eq!(names(scratch.path()), ["new"]);
}

/// Half of the runs are killed while the file is brought to the disk, half while many are written.
#[test]
fn a_writer_that_is_killed_leaves_the_old_or_the_new_file() {
    const SIZE: usize = 300_000;
    if let Some(directory) = playing() {
        let options = WriteOptions::new().durable(directory.ends_with("durable"));
        block_on(async {
            println!("ready");
            std::io::stdout().flush().unwrap();
            for letter in [b'a', b'b'].into_iter().cycle() {
                let content = Bytes::from(vec![letter; SIZE]);
                let path = directory.join("file");
                LocalBackend::new().write(path.to_str().unwrap(), content, options.clone()).await.unwrap();
            }
        });
    }
    let scratch = TempDir::new().unwrap();
    let mut leftovers = 0;
    for run in 0..100_u64 {
        let directory = scratch.path().join(if run % 2 == 0 { "durable" } else { "quick" });
        fs::create_dir_all(&directory).unwrap();
        let file = directory.join("file");
        fs::write(&file, vec![b'o'; SIZE]).unwrap();

        let test = "a_writer_that_is_killed_leaves_the_old_or_the_new_file";
        let mut writer = part(test, &directory).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().ends_with("ready")));
        std::thread::sleep(Duration::from_micros(run * 137 % 9_000));
        writer.kill().unwrap();
        writer.wait().unwrap();

        let content = fs::read(&file).unwrap();
        assert_eq!(content.len(), SIZE, "run {run}");
        assert!(content.iter().all(|byte| *byte == content[0]), "run {run}");
        leftovers += names(&directory).len() - 1;
        block_on(write(&file, "after")).unwrap();
        assert_eq!(names(&directory), ["file"], "run {run}");
    }
    println!("{leftovers} temporary files were left behind and removed");
    assert!(leftovers > 0, "no writer was killed in the middle: the test shows nothing");
}

#[tokio::test]
async fn the_temporary_file_of_a_living_writer_stays() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("file");
    let temporary = |number: u32| scratch.path().join(format!(".file.{number:02}.agentscope-tmp"));
    for number in [0, 1, 5] {
        fs::write(temporary(number), "").unwrap();
    }
    fs::write(scratch.path().join(".other.00.agentscope-tmp"), "").unwrap();
    let living = fs::File::open(temporary(1)).unwrap();
    rustix::fs::flock(&living, rustix::fs::FlockOperation::LockExclusive).unwrap();
    write(&file, "x").await.unwrap();
    assert_eq!(names(scratch.path()), [".file.01.agentscope-tmp", ".other.00.agentscope-tmp", "file"]);
}

#[tokio::test]
async fn what_stands_where_the_temporary_file_would_be_is_never_written_to() {
    let scratch = TempDir::new().unwrap();
    let (file, precious) = (scratch.path().join("file"), scratch.path().join("precious"));
    fs::write(&precious, "precious").unwrap();
    symlink("precious", scratch.path().join(".file.00.agentscope-tmp")).unwrap();
    fs::create_dir(scratch.path().join(".file.01.agentscope-tmp")).unwrap();
    write(&file, "x").await.unwrap();
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    assert_eq!(fs::read_to_string(&file).unwrap(), "x");
    assert_eq!(names(scratch.path()).len(), 4);
}

#[test]
fn a_file_larger_than_the_process_may_write_is_refused() {
    let Some(directory) = playing() else {
        let scratch = TempDir::new().unwrap();
        play(part("a_file_larger_than_the_process_may_write_is_refused", scratch.path()));
        return;
    };
    let file = directory.join("file");
    fs::write(&file, "old").unwrap();
    let limit = rustix::process::Rlimit { current: Some(4_096), maximum: None };
    rustix::process::setrlimit(rustix::process::Resource::Fsize, limit).unwrap();
    let error = block_on(write(&file, vec![b'x'; 4_097])).unwrap_err();
    assert_eq!(error.kind(), BackendErrorKind::TooLarge, "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(
        block_on(write(&directory.join("new/file"), vec![b'x'; 4_097])).unwrap_err().kind(),
        BackendErrorKind::TooLarge
    );
    assert_eq!(names(&directory), ["file"]);
    block_on(write(&file, vec![b'x'; 4_096])).unwrap();
}

#[test]
fn modes_hold_for_an_ordinary_user() {
    let prepare = |directory: &Path| {
        for (name, mode) in
            [("read-only", 0o444), ("unreadable", 0o000), ("closed/file", 0o644), ("sealed/file", 0o644)]
        {
            let path = directory.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "old").unwrap();
            set_mode(&path, mode);
        }
        set_mode(&directory.join("sealed"), 0o555);
        set_mode(&directory.join("closed"), 0o000);
    };
    as_ordinary_user("modes_hold_for_an_ordinary_user", prepare, |directory| {
        block_on(async {
            let backend = LocalBackend::in_directory(directory).unwrap();
            let denied = |error: BackendError| {
                assert_eq!(error.kind(), BackendErrorKind::PermissionDenied, "{error}");
                error.to_string()
            };
            let write = async |path: &str| backend.write(path, "new".into(), WriteOptions::new()).await.unwrap_err();

            assert_eq!(denied(write("read-only").await), "cannot write `read-only`: permission denied");
            denied(write("unreadable").await);
            let error = denied(write("sealed/file").await);
            assert!(error.contains("its directory may not be written to"), "{error}");
            denied(write("sealed/sub/new").await);
            denied(write("closed/file").await);

            denied(backend.read("unreadable", 100).await.unwrap_err());
            denied(backend.read_stream("unreadable", ByteRange::ALL).await.unwrap_err());
            denied(backend.stat("closed/file").await.unwrap_err());
            denied(backend.exists("closed/file").await.unwrap_err());
            denied(backend.list("closed").await.unwrap_err());
            denied(backend.canonicalize("closed/file").await.unwrap_err());
            denied(backend.remove("sealed/file", agentscope_tool::backend::Removal::File).await.unwrap_err());
        });
        assert_eq!(fs::read_to_string(directory.join("read-only")).unwrap(), "old");
        assert_eq!(fs::read_to_string(directory.join("sealed/file")).unwrap(), "old");
        assert_eq!(names(&directory.join("sealed")), ["file"]);
        assert_eq!(names(directory), ["closed", "read-only", "sealed", "unreadable"]);
        set_mode(&directory.join("closed"), 0o755);
    });
}

#[test]
fn an_ordinary_user_takes_over_what_belongs_to_another_without_its_secrets() {
    if !is_root() && playing().is_none() {
        eprintln!("skipped: only the superuser can give files away");
        return;
    }
    const NAME: &str = "an_ordinary_user_takes_over_what_belongs_to_another_without_its_secrets";
    if let Some(directory) = playing() {
        let file = directory.join("file");
        block_on(write(&file, "new")).unwrap();
        let after = fs::metadata(&file).unwrap();
        assert_eq!((after.uid(), after.mode() & 0o7777), (65_534, 0o622), "{:o}", after.mode());
        return;
    }
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("file");
    fs::write(&file, "old").unwrap();
    set_mode(&file, 0o6662);
    set_mode(scratch.path(), 0o777);
    let mut command = part(NAME, scratch.path());
    command.uid(65_534).gid(65_534).current_dir("/");
    play(command);
}

/// Runs the part in a mount namespace of its own, in a small file system that is mounted at the directory.
fn in_own_file_system(test: &str, script: &str) -> bool {
    let scratch = TempDir::new().unwrap();
    let program = part(test, scratch.path());
    let mut command = Command::new("unshare");
    command.args([
        "-m",
        "sh",
        "-c",
        &format!("mount -t tmpfs -o size=256k none \"$0\" || exit 77; {script}; exec \"$@\""),
    ]);
    command.arg(scratch.path()).arg(program.get_program()).args(program.get_args()).env(PART, scratch.path());
    match command.output() {
        Ok(output) if output.status.success() => true,
        Ok(output) if output.status.code() == Some(77) || output.stdout.is_empty() => {
            eprintln!("skipped: no file system can be mounted: {}", String::from_utf8_lossy(&output.stderr));
            false
        }
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(error) => {
            eprintln!("skipped: no file system can be mounted: {error}");
            false
        }
    }
}

#[test]
fn a_full_file_system_keeps_the_old_file() {
    let Some(directory) = playing() else {
        in_own_file_system("a_full_file_system_keeps_the_old_file", "printf old > \"$0/file\"");
        return;
    };
    let file = directory.join("file");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    for path in [file.clone(), directory.join("new/sub/file")] {
        let error = block_on(write(&path, vec![b'x'; 1 << 20])).unwrap_err();
        assert_eq!(error.kind(), BackendErrorKind::NoSpace, "{error}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(names(&directory), ["file"]);
    block_on(write(&file, vec![b'x'; 100_000])).unwrap();
}

#[test]
fn a_read_only_file_system_says_so() {
    let Some(directory) = playing() else {
        in_own_file_system("a_read_only_file_system_says_so", "printf old > \"$0/file\"; mount -o remount,ro \"$0\"");
        return;
    };
    for path in ["file", "new", "sub/new"] {
        let error = block_on(write(&directory.join(path), "new")).unwrap_err();
        assert_eq!(error.kind(), BackendErrorKind::ReadOnlyFilesystem, "{error}");
    }
    assert_eq!(fs::read_to_string(directory.join("file")).unwrap(), "old");
}

#[test]
fn a_mount_point_is_busy() {
    let Some(directory) = playing() else {
        let script = "printf old > \"$0/file\"; mount --bind \"$0/file\" \"$0/file\"";
        in_own_file_system("a_mount_point_is_busy", script);
        return;
    };
    let error = block_on(write(&directory.join("file"), "new")).unwrap_err();
    assert_eq!(error.kind(), BackendErrorKind::Busy, "{error}");
    assert_eq!(names(&directory), ["file"]);
}

#[test]
fn a_file_that_grows_while_it_is_read_ends_at_the_limit() {
    let scratch = TempDir::new().unwrap();
    let path = scratch.path().join("log");
    fs::write(&path, "0\n").unwrap();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let writer = std::thread::spawn({
        let mut file = fs::File::options().append(true).open(&path).unwrap();
        move || {
            let line = "0123456789abcde\n".repeat(1_000);
            for _ in 0..3_000 {
                if stopped.try_recv().is_ok() {
                    break;
                }
                file.write_all(line.as_bytes()).unwrap();
            }
        }
    });
    block_on(async {
        let (backend, path) = (LocalBackend::new(), path.to_str().unwrap());
        for limit in [100_000, 1_000_000] {
            let result = loop {
                match backend.read(path, limit).await {
                    Ok(content) => assert!(content.bytes.len() as u64 <= limit),
                    Err(error) => break error,
                }
            };
            assert_eq!(result.kind(), BackendErrorKind::TooLarge);
        }
        let mut stream = backend.read_stream(path, (0..2_000_000).into()).await.unwrap();
        let mut whole = Vec::new();
        while let Some(piece) = stream.next().await {
            whole.extend_from_slice(&piece.unwrap());
        }
        assert!(whole.len() <= 2_000_000);
        assert_eq!(whole, fs::read(path).unwrap()[..whole.len()]);
    });
    let _ = stop.send(());
    writer.join().unwrap();
}

#[test]
fn a_pipe_is_refused_without_being_opened() {
    let scratch = TempDir::new().unwrap();
    let path = scratch.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
    // Whoever waits for a reader would go on, and be ended by a signal.
    let writer = std::thread::spawn({
        let path = path.clone();
        move || fs::File::options().write(true).open(path).map(drop)
    });
    std::thread::sleep(Duration::from_millis(50));
    block_on(async {
        let (backend, path) = (LocalBackend::new(), path.to_str().unwrap());
        assert_eq!(backend.read(path, 100).await.unwrap_err().kind(), BackendErrorKind::NotAFile);
        let error = backend.read_stream(path, ByteRange::ALL).await.unwrap_err();
        assert_eq!(error.reason(), "it is a named pipe, not a regular file");
        assert_eq!(write(Path::new(path), "x").await.unwrap_err().kind(), BackendErrorKind::NotAFile);
    });
    std::thread::sleep(Duration::from_millis(50));
    assert!(!writer.is_finished());
    drop(fs::File::open(&path).unwrap());
    writer.join().unwrap().unwrap();
}

#[test]
fn a_large_read_leaves_the_runtime_free() {
    let scratch = TempDir::new().unwrap();
    let path = scratch.path().join("large");
    fs::write(&path, vec![b'x'; 100 << 20]).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let beats = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
        let heart = std::sync::Arc::clone(&beats);
        let heartbeat = tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_millis(1)).await;
                heart.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        });
        let path = path.to_str().unwrap();
        let content = LocalBackend::new().read(path, u64::MAX).await.unwrap();
        LocalBackend::new().write(path, content.bytes, WriteOptions::new().durable(false)).await.unwrap();
        heartbeat.abort();
        // Work on this thread would let it beat once in between. How fast it beats depends on the machine.
        let beats = beats.load(std::sync::atomic::Ordering::Relaxed);
        assert!(beats >= 5, "{beats} beats");
    });
}
