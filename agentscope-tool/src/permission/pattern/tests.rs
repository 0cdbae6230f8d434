use super::*;

mod properties;

fn pattern(content: &str) -> PathPattern {
    PathPattern::parse(content).unwrap_or_else(|error| panic!("{content}: {error}"))
}

fn base(pattern: &PathPattern) -> String {
    pattern.bases(&["/w"], Some("/home/u")).remove(0)
}

/// Compares at the anchor `/w` and the home directory `/home/u`.
fn matches(content: &str, path: &str) -> bool {
    let pattern = pattern(content);
    pattern.matches(&base(&pattern), path)
}

fn hits(content: &str, path: &str) -> bool {
    let pattern = pattern(content);
    pattern.hits(&base(&pattern), path)
}

fn covers(content: &str, tree: &str, root_too: bool) -> bool {
    let pattern = pattern(content);
    pattern.covers_tree(&base(&pattern), tree, root_too)
}

fn may_touch(content: &str, tree: &str) -> bool {
    let pattern = pattern(content);
    pattern.may_touch_tree(&base(&pattern), tree)
}

#[track_caller]
fn compare(content: &str, matching: &[&str], others: &[&str]) {
    for path in matching {
        assert!(matches(content, path), "{content} should match {path}");
    }
    for path in others {
        assert!(!matches(content, path), "{content} should not match {path}");
    }
}

#[track_caller]
fn refused(content: &str, position: usize, text: &str) {
    let error = PathPattern::parse(content).expect_err(content);
    assert_eq!(error.position(), position, "{content}: {error}");
    assert!(error.to_string().contains(text), "{content}: {error}");
}

#[test]
fn a_star_stops_at_a_separator() {
    compare("/w/*.txt", &["/w/a.txt", "/w/.txt", "/w/é.txt"], &["/w/deep/a.txt", "/w/a.txtx", "/a.txt", "/w/A.TXT"]);
    compare("/w/*", &["/w/a", "/w/.hidden"], &["/w", "/w/a/b"]);
}

#[test]
fn two_stars_cross_separators() {
    compare("src/**", &["/w/src/a", "/w/src/a/b/c"], &["/w/src", "/w/srcs/a", "/src/a"]);
    compare("**/*.rs", &["/w/a.rs", "/w/a/b/c.rs"], &["/w", "/w/a.rs/b", "/x/a.rs"]);
    compare("/a/**/b", &["/a/b", "/a/x/b", "/a/b/b"], &["/a", "/b", "/a/b/c"]);
    compare("/**", &["/a", "/a/b"], &["/"]);
    compare("/a/**/**/**", &["/a/b"], &["/a"]);
}

#[test]
fn one_character_is_one_character() {
    compare("/?", &["/a", "/é", "/漢", "/\n"], &["/", "/ab"]);
    compare("/[a-cß]", &["/a", "/c", "/ß"], &["/d", "/-", "/ab"]);
    compare("/[!a-c]", &["/d", "/é", "/!"], &["/a", "/"]);
    compare("/[^a]", &["/^", "/b"], &["/a"]);
    compare("/[]a]", &["/]", "/a"], &["/[]a]"]);
    compare("/[a-]", &["/a", "/-"], &["/b"]);
    compare(r"/[\]\\x]", &["/]", r"/\", "/x"], &["/["]);
}

#[test]
fn braces_hold_alternatives() {
    compare("/{a,b*,[cd]}/x", &["/a/x", "/bb/x", "/d/x"], &["/c", "/e/x", "/ab/x"]);
    compare("/x{,.bak}", &["/x", "/x.bak"], &["/x.", "/"]);
    compare("/{a,{b,c}d}", &["/a", "/bd", "/cd"], &["/ad", "/b"]);
    compare(r"/{a\,b,c}", &["/a,b", "/c"], &["/a", "/b"]);
    compare("/a,b}", &["/a,b}"], &["/a"]);
}

#[test]
fn an_escaped_character_stands_for_itself() {
    compare(r"/\*\?\[\{\\\~", &[r"/*?[{\~"], &["/x"]);
    compare(r"\~/x", &["/w/~/x"], &["/home/u/x"]);
    compare("/w/[[]id]/[*]", &["/w/[id]/*"], &["/w/i/x", "/w/[id]/x"]);
}

#[test]
fn what_the_engine_of_expressions_knows_is_plain_text_here() {
    compare("/a.b+(c)|d$^", &["/a.b+(c)|d$^"], &["/aXb+(c)|d$^", "/a.bb(c)"]);
    compare("/?.b", &["/a.b"], &["/acb"]);
    compare(r"/[\d]*", &["/d", "/dx"], &["/1"]);
    compare("/[a&&b]*", &["/&", "/a", "/b"], &["/c"]);
}

#[test]
fn a_pattern_without_wildcards_is_one_path() {
    compare("/etc/hosts", &["/etc/hosts"], &["/etc", "/etc/hosts/x", "/etc/host"]);
    compare("x", &["/w/x"], &["/x"]);
    compare("./x", &["/w/x"], &["/x"]);
    compare(".", &["/w"], &["/w/x"]);
    compare("~", &["/home/u"], &["/home/u/x"]);
    compare("~/x", &["/home/u/x"], &["/w/x"]);
    compare("./~x", &["/w/~x"], &[]);
}

#[test]
fn a_separator_at_the_end_means_everything_below() {
    compare("src/", &["/w/src/a", "/w/src/a/b"], &["/w/src"]);
    compare("/", &["/a", "/a/b"], &["/"]);
    compare("~/", &["/home/u/x"], &["/home/u", "/w/x"]);
    compare("/a*/", &["/ab/c"], &["/ab"]);
}

#[test]
fn dots_are_folded() {
    compare("/a//./b/../c", &["/a/c"], &["/a/b/c"]);
    compare("/../a", &["/a"], &[]);
    compare("../x/*", &["/x/y"], &["/w/x/y"]);
    compare("a/../../../x", &["/x"], &["/w/x"]);
    compare("~/../v/x", &["/home/v/x"], &[]);
    compare("*/./x", &["/w/a/x"], &["/w/x"]);
}

#[test]
fn relative_patterns_have_a_base_for_each_anchor() {
    let relative = pattern("../src/*.rs");
    assert_eq!(relative.bases(&["/w/a", "/v"], None), ["/w/src", "/src"]);
    assert!(relative.bases(&[], Some("/home/u")).is_empty());
    assert_eq!(pattern("/etc/[[]x]/*").bases(&["/w"], None), ["/etc/[x]"]);
    assert_eq!(pattern("~/a/**").bases(&["/w"], Some("/home/u")), ["/home/u/a"]);
    assert!(pattern("~/a/**").bases(&["/w"], None).is_empty());
    assert_eq!(pattern("/*").bases(&[], None), ["/"]);
}

#[test]
fn a_base_may_be_elsewhere_than_it_is_written() {
    let linked = pattern("/link/**");
    assert!(linked.matches("/real/place", "/real/place/x"));
    assert!(!linked.matches("/real/place", "/link/x"));
    assert!(linked.matches("/", "/x"));
}

#[test]
fn a_rule_that_forbids_hits_what_lies_below_a_plain_path() {
    assert!(hits("/etc", "/etc/passwd") && hits("/etc", "/etc") && hits("/etc/*", "/etc/passwd"));
    assert!(!hits("/etc", "/etcetera") && !hits("/etc/*", "/etc/a/b") && !hits("/etc/x", "/etc"));
    assert!(hits("/.", "/anything"));
}

#[test]
fn a_rule_that_forbids_hits_what_lies_below_a_last_name_without_wildcards() {
    assert!(hits("/home/*/.ssh", "/home/u/.ssh/keys/id") && hits("/w/**/.env", "/w/a/.env/x"));
    assert!(!hits("/home/*/.ssh", "/home/u/.sshd/id") && !hits("/home/*/.ssh*", "/home/u/.ssh/id"));
    assert!(!matches("/home/*/.ssh", "/home/u/.ssh/id"), "what is allowed is the name alone");
}

#[test]
fn a_tree_is_covered_if_everything_in_it_is() {
    for (content, tree, below, root_too) in [
        ("/w/**", "/w/a", true, true),
        ("/w/**", "/w", true, false),
        ("/w/**", "/", false, false),
        ("/w/*", "/w", false, false),
        ("/w/*", "/w/a", false, false),
        ("/w/**/*", "/w", true, false),
        ("/w/*/**", "/w", false, false),
        ("/w/*/**", "/w/a", true, false),
        ("/w/a*/**", "/w/ab", true, false),
        ("/w/a*/**", "/w/b", false, false),
        ("/w/**/*.rs", "/w/a", false, false),
        ("/w", "/w", false, false),
        ("/**", "/", true, false),
    ] {
        assert_eq!(covers(content, tree, false), below, "{content} {tree}");
        assert_eq!(covers(content, tree, true), root_too, "{content} {tree} itself");
    }
}

#[test]
fn a_tree_is_touched_if_something_in_it_could_be_hit() {
    for (content, tree) in [
        ("/w/**/*.rs", "/w/a/b"),
        ("/w/**/*.rs", "/"),
        ("/w/a/b", "/w"),
        ("/w/a", "/w/a"),
        ("/w/a", "/w/a/b"),
        ("/w/*/x", "/w/a"),
        ("/w/*/x", "/w/a/x"),
        ("/w/*/x", "/w/a/x/y"),
    ] {
        assert!(may_touch(content, tree), "{content} {tree}");
    }
    for (content, tree) in
        [("/w/*.rs", "/w/a"), ("/w/*/x", "/w/a/b"), ("/w/*/x*", "/w/a/x/y"), ("/w/a", "/w/b"), ("/w/a", "/w/ab")]
    {
        assert!(!may_touch(content, tree), "{content} {tree}");
    }
}

#[test]
fn a_refused_pattern_says_where_and_what_to_write_instead() {
    refused("", 0, "empty");
    refused(" \t", 0, "empty");
    refused("/a\0b", 2, "control character");
    refused("/é\n", 3, "control character '\\n'");
    refused("~root/x", 0, "write the absolute path");
    refused("src/a**", 5, "write `a*` within one name or `a/**` across names");
    refused("**b", 0, "`*b` within one name or `**/b`");
    refused("/***", 1, "`*` within one name or `**` across");
    refused("/{**,a}", 2, "one rule for each alternative");
    refused("/a/*/../b", 5, "`..` cannot follow");
    refused("/a/[bc", 3, "`[` is never closed; add its `]`, or write `[[]`");
    refused("/a/[]", 3, "never closed");
    refused("/a/[b-", 3, "never closed");
    refused("/a/{b,c", 3, "`{` is never closed; add its `}`, or write `[{]`");
    refused("/{a,{b,c}", 1, "never closed");
    refused("/{a/b,c}", 3, "one rule for each path");
    refused("/[a/b]", 3, "one rule for each path");
    refused("/{id}/x", 1, "`[{]`");
    refused("/{}", 1, "`{a,b}`");
    refused("/a{b,c}{id}", 7, "`[{]`");
    refused("/[[:alpha:]]", 2, "a range like `a-z`");
    refused("/[z-a]", 2, "write `a-z`");
    refused(r"/a\", 2, r"write `\\`");
    refused(r"/a\/b", 2, r"write `\\`");
    refused(&"/{a,b}".repeat(127), 757, "more than 126 components");
    refused(&format!("/{}", "?".repeat(100_000)), 1, "too large");
    refused(&format!("/{}", "{,".repeat(5_000)), 9_999, "never closed");
    refused(&format!("/{}{}", "{,".repeat(5_000), "}".repeat(5_000)), 1, "too large");
}

#[test]
fn as_many_components_as_allowed_are_compared() {
    let names = "/a".repeat(126);
    compare(&"/?".repeat(126), &[&names], &[&"/a".repeat(125), &"/a".repeat(127)]);
    let deep = format!("{}/**", "/?".repeat(125));
    compare(&deep, &[&names], &[&"/a".repeat(125)]);
    assert!(covers(&deep, &names, true));
}

#[test]
fn many_double_stars_take_no_long_time() {
    let content = format!("{}/b", "/**/*".repeat(60));
    assert!(!matches(&content, &"/a".repeat(2_000)));
    assert!(!matches(&format!("/{}", "*a".repeat(200)), &format!("/{}b", "a".repeat(5_000))));
}

#[test]
fn an_escaped_path_is_written_with_classes() {
    assert_eq!(escape("/w/[id]/page.tsx"), "/w/[[]id]/page.tsx");
    assert_eq!(escape(r"/a*?{b}\c"), r"/a[*][?][{]b}\\c");
    assert_eq!(escape("/"), "/.");
    assert!(matches(&escape("/"), "/"));
    assert!(!matches(&escape("/"), "/a"));
}

#[test]
fn folding_is_by_text() {
    for (path, folded) in [("/", "/"), ("//a/./b/../c/", "/a/c"), ("/../..", "/"), ("", "/"), ("/a/...", "/a/...")] {
        assert_eq!(fold(path), folded);
    }
}

/// Every path of at most `depth` names out of `names`, below `start`, with `start`.
fn paths_below(start: &str, names: &[&str], depth: usize) -> Vec<String> {
    let mut all = vec![start.to_owned()];
    let mut from = 0;
    for _ in 0..depth {
        let to = all.len();
        for index in from..to {
            let parent = all[index].trim_end_matches('/').to_owned();
            all.extend(names.iter().map(|name| format!("{parent}/{name}")));
        }
        from = to;
    }
    all
}

#[test]
fn trees_are_judged_as_if_every_path_in_them_were_looked_at() {
    let mut count = 0;
    for content in paths_below("", &["a", "*", "**"], 4).into_iter().skip(1) {
        let pattern = pattern(&content);
        let base = pattern.bases(&[], None).remove(0);
        for tree in paths_below("/", &["a", "b"], 3) {
            let paths = paths_below(&tree, &["a", "b"], 5);
            let all = |paths: &[String]| paths.iter().all(|path| pattern.matches(&base, path));
            assert_eq!(pattern.covers_tree(&base, &tree, false), all(&paths[1..]), "{content} covers below {tree}");
            assert_eq!(pattern.covers_tree(&base, &tree, true), all(&paths), "{content} covers {tree}");
            let any = paths.iter().any(|path| pattern.hits(&base, path));
            assert_eq!(pattern.may_touch_tree(&base, &tree), any, "{content} touches {tree}");
            count += 1;
        }
    }
    assert_eq!(count, 120 * 15);
}
