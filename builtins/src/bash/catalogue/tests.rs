//! The catalogue as a whole, on commands as they are written.

use super::*;
use crate::bash::{Shell, parse};

mod parts;
mod properties;

/// The argv of the first simple command in `text`.
fn argv(text: &str) -> Vec<Word> {
    let script = parse(text, Shell::Bash);
    assert!(script.fault.is_none(), "{text}: {:?}", script.fault);
    script.simple_commands().first().map(|command| command.words.clone()).unwrap_or_default()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Read,
    Edit,
    Other,
    Danger,
}

/// The worst of a command and all that it runs.
fn level(argv: &[Word], depth: usize) -> Level {
    let effect = judge(argv);
    let own = match effect.verdict {
        Verdict::ReadOnly => Level::Read,
        Verdict::Edit => Level::Edit,
        Verdict::Other(_) => Level::Other,
        Verdict::Dangerous(_) => Level::Danger,
    };
    let inner = effect.runs.iter().map(|run| match run {
        Run::Command { argv, .. } if depth < 8 => level(argv, depth + 1),
        Run::Script(text) if depth < 8 => text.literal().map_or(Level::Other, |text| {
            let script = parse(text, Shell::Bash);
            script
                .simple_commands()
                .iter()
                .map(|command| level(&command.words, depth + 1))
                .max()
                .unwrap_or(Level::Other)
        }),
        _ => Level::Other,
    });
    inner.fold(own, Level::max)
}

/// What `argv` does, by the catalogue that comes with the crate.
fn judge(argv: &[Word]) -> Effect<'_> {
    Catalogue::built_in().judge(argv)
}

fn judged(text: &str) -> Level {
    level(&argv(text), 0)
}

fn all(expected: Level, commands: &str) {
    for command in commands.lines().map(str::trim).filter(|line| !line.is_empty()) {
        assert_eq!(judged(command), expected, "{command}: {:?}", judge(&argv(command)));
    }
}

/// The reason of a command that is not in the catalogue.
fn reason(text: &str) -> String {
    match judge(&argv(text)).verdict {
        Verdict::Other(reason) => reason.to_string(),
        Verdict::Dangerous(danger) => danger.to_string(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn every_file_of_the_catalogue_can_be_read() {
    for (name, text) in FILES {
        if let Err(error) = format::read(text) {
            panic!("{name}.txt, {error}");
        }
    }
}

#[test]
fn more_than_a_thousand_programs_and_subcommands_are_known() {
    assert!(BUILT_IN.table.len() > 1_000, "{}", BUILT_IN.table.len());
}

#[test]
fn a_group_with_subcommands_takes_no_free_operands_by_itself() {
    // `nmcli radio: ; text*` would let `nmcli radio wifi off` through as soon as that subcommand is not listed.
    for (name, program) in &BUILT_IN.table.programs {
        let depths = program.entries.iter().map(|entry| entry.subs.len());
        let deepest = depths.max().unwrap_or(0);
        for entry in
            program.entries.iter().filter(|entry| entry.subs.is_empty() && deepest > 0 && entry.nature == Nature::Read)
        {
            let operands = &entry.shape.operands;
            let free = operands.rest.is_some() || !operands.first.is_empty() || !operands.optional.is_empty();
            // Their operands are paths, or come behind options that make them a list.
            let known = ["ar", "npm", "yq", "ip", "fd", "tar", "dpkg", "rpm", "7z"].contains(&name.as_str());
            assert!(!free || known, "{name}: {:?}", entry.shape.operands);
        }
    }
}

#[test]
fn a_misspelt_entry_is_refused_with_its_line() {
    for (text, message) in [
        ("read sort\n", "line 1: it is written `program subcommand: options ; operands`"),
        (
            "\n# x\nlook sort: -a",
            "line 3: an entry starts with read, edit, write, run, wrap, globals or danger, not with `look`",
        ),
        ("read sort: -k=key-definition", "line 1: there is no kind of value called `key-definition`"),
        ("read sort: @more", "line 1: the group `more` has to be written before it is used"),
        ("read sort: verbose", "line 1: `verbose` is not an option; write `-a`, `--name`, `--name=kind` or `'-word'`"),
        ("read sort: -ab -b", "line 1: the option `-b` is there twice"),
        (
            "read sort: ; read* [text]",
            "line 1: operands are first ones, then optional ones, then one with `*` or `+`, then at most one more",
        ),
    ] {
        assert_eq!(format::read(text).map(|_| ()).map_err(|error| error.to_string()), Err(message.to_owned()));
    }
}

#[test]
fn a_user_adds_commands_that_only_read() {
    let catalogue =
        Catalogue::built_in().with_read_only(["deploy status: -q --env=(dev|prod) ; text*", "lint: ; read*"]).unwrap();
    let verdict = |text: &str| catalogue.judge(&argv(text)).verdict == Verdict::ReadOnly;
    assert!(verdict("deploy status -q --env=dev web"));
    assert!(verdict("lint src"));
    assert!(verdict("ls"));
    assert!(!verdict("deploy status --env=other"));
    assert!(!verdict("deploy start"));
    assert!(!verdict("rm -rf src"));
    assert!(Catalogue::built_in().with_read_only(["git frob:\nedit rm: -rf ; remove*"]).is_err());
    let error = Catalogue::built_in().with_read_only(["ok: ;", "lint src"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`lint src` describes no command: it is written `program subcommand: options ; operands`"
    );
}

#[test]
fn what_only_reads_is_read_only() {
    all(Level::Read, include_str!("tests/read_only.txt"));
}

#[test]
fn what_does_more_is_not() {
    for command in include_str!("tests/not_read_only.txt").lines().filter(|line| !line.is_empty()) {
        assert_ne!(judged(command), Level::Read, "{command}");
    }
}

#[test]
fn the_few_that_edit_files_are_edits() {
    all(
        Level::Edit,
        "touch a b
        touch -- -x
        touch -d '2020-01-01' a
        mkdir -pv a/b
        rmdir sub
        rm -rf build
        rm -f *.log sub/*.tmp
        rm -- -x
        mv -n a b
        mv --target-directory=src a
        cp -r src src2
        cp -t src a
        cp src/*.rs dst/
        sed -i 's/a/b/' f
        sed -E -i.bak -e 's/a/b/' -e '/x/d' f
        timeout 5 touch a",
    );
}

#[test]
fn edits_name_every_path_that_they_touch() {
    let paths = |text: &str| {
        let argv = argv(text);
        let effect = judge(&argv);
        let writes =
            effect.writes.iter().map(|change| format!("{:?} {}", change.how, change.path.literal().unwrap_or("?")));
        let reads = effect.reads.iter().map(|path| format!("Read {}", path.literal().unwrap_or("?")));
        reads.chain(writes).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(paths("cp -at/tmp/out a"), "Read a, Write /tmp/out");
    assert_eq!(paths("cp a b --target-directory=/x"), "Read a, Read b, Write /x");
    assert_eq!(paths("mv -ft /tmp/out a"), "Write /tmp/out, Remove a");
    assert_eq!(paths("mv a b"), "Remove a, Write b");
    assert_eq!(paths("touch a --reference=/etc/passwd"), "Read /etc/passwd, Write a");
    assert_eq!(paths("rm a \"$X\""), "Read ?, Remove a, Remove ?");
    assert_eq!(paths("ln -sf x ~/.profile"), "Write x, Write ?");
    assert_eq!(paths("dd if=a of=b"), "Write a, Write b");
    assert_eq!(paths("frob -v a b=c"), "Read a, Read c");
    assert_eq!(paths("chmod --weird=x ~/.ssh"), "Write x, Write ?");
    assert_eq!(paths("find src -fprint out"), "Read src, Write out");
    assert_eq!(paths("sed -i s/a/b/ /etc/hosts"), "Write /etc/hosts");
}

#[test]
fn harm_beyond_repair_is_dangerous() {
    all(
        Level::Danger,
        "rm -rf /
        'rm' -rf -- \"/\"
        rm -rf /usr/../
        rm -rf /*
        rm -rf '/'*
        rm -rf ~
        rm -rf \"$HOME\"/
        rm -rf ${HOME}
        rm -rf \"$PWD\"
        rm -rf .
        rm -rf ../*
        rm -rf .[!.]*
        rm -rf *
        rm -rf /home/alice
        rmdir /
        mv / /x
        mv ~ x
        cp -r evil/. .
        sudo rm -rf /
        sudo -u root -X rm -rf /
        command rm -rf /
        env A=b rm -rf /
        timeout 5 nice xargs rm -rf /
        bash -c 'ls; rm -rf /'
        eval rm -rf /
        busybox rm -rf /
        /opt/x/rm -rf /
        find / -name core -delete
        find . -delete
        find ~ -exec rm -rf {} +
        chmod -R 000 ~
        chown -R nobody /
        chmod 777 f
        chmod u=rwx,o=w f
        mkfs.ext4 /dev/sda1
        mkfs -t ext4 x
        fdisk /dev/sda
        dd if=/dev/zero of=/dev/sda
        shred /dev/sda
        tee /dev/sda
        crontab -r
        kill -9 -1
        shutdown -h now
        systemctl --no-wall reboot
        sed '1e touch x' f
        sed -e s/a/b/ -e 'w /tmp/x' f",
    );
}

#[test]
fn data_that_mentions_harm_is_just_data() {
    all(
        Level::Read,
        "echo 'rm -rf /'
        grep -rn 'sudo rm' docs
        grep 'fdisk\\|mkfs' f
        ls dd
        echo -exec
        echo --output=x
        git log --grep='a; rm -rf /'
        find . -path '*/-exec/*'",
    );
    all(Level::Other, "git commit -m 'mention rm -rf /'\nnpm run format\nnpm run dd-trace");
}

#[test]
fn wrappers_show_what_they_run() {
    let runs = |text: &str| {
        let argv = argv(text);
        let show = |words: &[Word]| {
            words.iter().map(|word| word.literal().unwrap_or("?").to_owned()).collect::<Vec<_>>().join(" ")
        };
        let runs: Vec<String> = judge(&argv)
            .runs
            .iter()
            .map(|run| match run {
                Run::Command { argv, .. } => show(argv),
                Run::Script(text) => format!("script: {}", text.literal().unwrap_or("?")),
            })
            .collect();
        runs.join(" / ")
    };
    assert_eq!(runs("timeout -k 1 --signal=KILL 5 git push"), "git push");
    assert_eq!(runs("nice -n 5 ls"), "ls");
    assert_eq!(runs("env -i LANG=C ls"), "ls");
    assert_eq!(runs("xargs -0 -n1 rm -f"), "rm -f ?");
    assert_eq!(runs("xargs -I{} cp {} {}.bak"), "cp ? ?");
    assert_eq!(runs("xargs"), "echo ?");
    assert_eq!(runs("find a b -exec grep x {} ';' -execdir rm {} +"), "grep x ? / grep x ? / rm ? / rm ?");
    assert_eq!(runs("sh -ec 'ls; rm x' name"), "script: ls; rm x");
    assert_eq!(runs("eval 'rm x' y"), "script: rm x y");
    assert_eq!(runs("su - -c 'rm x'"), "script: rm x");
    assert_eq!(runs("sudo -u root A=b rm x"), "rm x");
    assert_eq!(runs("docker exec -it web rm x"), "rm x");
    assert_eq!(runs("kubectl exec pod -- rm x"), "rm x");
    assert_eq!(runs("unshare --strange rm x"), "rm x");
}

#[test]
fn directories_that_are_obeyed_are_named() {
    for (text, place) in [("git -C sub status", "sub"), ("git -C sub --no-pager log", "sub"), ("cd src", "src")] {
        let argv = argv(text);
        let effect = judge(&argv);
        assert_eq!(effect.verdict, Verdict::ReadOnly);
        assert_eq!(effect.places.iter().map(|word| word.literal()).collect::<Vec<_>>(), [Some(place)]);
    }
    assert_eq!(judge(&argv("cd")).places[0].home_relative(), Some(""));
}

#[test]
fn reasons_say_what_to_change() {
    let reasons: Vec<String> = [
        "sort -o out f",
        "sort --outp=f",
        "sort *.txt",
        "git push",
        "git -c a.b=c log",
        "unheard-of x",
        "./ls",
        "$X",
        "uniq a b",
        "sort -k",
        "find . $X",
        "kubectl get secrets",
        "sed 'r x' f",
        "awk '{system($1)}' f",
        "git log --format=%G?",
        "cat /dev/sda",
        "bash -c ls",
        "ln a b",
        "touch '[/]x'",
        "date \"$X\"",
        "rm -rf /",
        "sed 'w x' f",
    ]
    .into_iter()
    .map(|text| format!("{text}\n    {}", reason(text)))
    .collect();
    insta::assert_snapshot!(reasons.join("\n"));
}
