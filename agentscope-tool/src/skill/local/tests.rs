use super::*;

/// A directory that is removed in the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("agentscope-skills-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        let file = self.0.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(loader: &LocalSkillLoader) -> Vec<String> {
    loader.load_now().into_iter().map(|skill| skill.name).collect()
}

#[test]
fn a_skill_is_its_front_matter_and_the_rest() {
    let directory = Directory::new("one");
    directory.write(
        "SKILL.md",
        "\u{feff}---\r\nname: pdf\r\ndescription: >\r\n  Fill in\r\n  forms\r\n---\r\n\r\n# Body\r\n---\r\nmore\r\n",
    );
    let loader = LocalSkillLoader::new(&directory.0);
    let skills = loader.load_now();
    let expected = Skill::new("pdf", "Fill in forms", "# Body\n---\nmore").in_dir(directory.0.to_str().unwrap());
    assert_eq!(skills, [expected]);
}

#[test]
fn what_is_no_skill_is_left_out() {
    for (content, why) in [
        (&b"---\nname: a\n---\nx"[..], "`description` is missing or empty"),
        (b"---\nname: ' '\ndescription: d\n---\nx", "`name` is missing or empty"),
        (b"no front matter", "does not begin with YAML"),
        (b"---\nname: a\ndescription: d\n", "does not begin with YAML"),
        (b"---\nname: [a\n---\n", ""),
        (b"---\nname: caf\xe9\n---\n", "not UTF-8"),
    ] {
        let error = parse(content, Path::new("/s/SKILL.md")).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(parse(b"---\nname: 7\ndescription: true\n---\n", Path::new("/s/SKILL.md")).unwrap().name, "7");
}

#[test]
fn directories_below_are_looked_through_only_on_request_and_in_order() {
    let directory = Directory::new("below");
    for name in ["b", "a", "a/deep"] {
        directory.write(&format!("{name}/SKILL.md"), format!("---\nname: {name}\ndescription: d\n---\n"));
    }
    directory.write("SKILL.md", "---\nname: top\ndescription: d\n---\n");
    let loader = LocalSkillLoader::new(&directory.0);
    assert_eq!(names(&loader), ["top"]);
    assert_eq!(names(&loader.scan_subdir(true)), ["top", "a", "a/deep", "b"]);
}

#[cfg(unix)]
#[test]
fn links_to_directories_are_not_followed() {
    let directory = Directory::new("links");
    directory.write("a/SKILL.md", "---\nname: a\ndescription: d\n---\n");
    std::os::unix::fs::symlink(&directory.0, directory.0.join("a/loop")).unwrap();
    assert_eq!(names(&LocalSkillLoader::new(&directory.0).scan_subdir(true)), ["a"]);
}

#[test]
fn a_change_of_content_is_seen() {
    let directory = Directory::new("change");
    directory.write("SKILL.md", "---\nname: a\ndescription: d\n---\n");
    let loader = LocalSkillLoader::new(&directory.0);
    assert_eq!(names(&loader), ["a"]);
    directory.write("SKILL.md", "---\nname: b\ndescription: d\n---\n");
    assert_eq!(names(&loader), ["b"]);
    fs::remove_file(directory.0.join("SKILL.md")).unwrap();
    assert!(names(&loader).is_empty());
}

#[test]
fn a_directory_that_is_not_there_has_no_skills() {
    assert!(names(&LocalSkillLoader::new("/no-such-directory")).is_empty());
}
