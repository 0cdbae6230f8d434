//! Repositories that want git to run programs.

use super::local::runner;
use super::*;

const IDENTITY: &str = "-c user.name=n -c user.email=e";

#[tokio::test]
async fn a_repository_runs_no_program_when_git_only_looks() {
    let scratch = tempfile::tempdir().unwrap();
    let runner = runner(scratch.path(), RunOptions::default());
    let setup = format!(
        "git init -q . && echo a > f && git add f && git {IDENTITY} commit -qm first && \
         git config core.fsmonitor 'touch ran; echo' && git config core.pager 'touch ran; cat' && \
         git config log.showSignature true && git config gpg.program ./gpg"
    );
    assert_eq!(respond(runner.run(args(&setup), &ToolContext::default())).await.text(), "");
    assert_eq!(runner.git_hazards(scratch.path().to_str().unwrap()).await, Vec::<String>::new());
    let response = respond(runner.run(args("git status -s; git log --oneline"), &ToolContext::default())).await;
    assert!(response.text().contains("first"), "{}", response.text());
    assert!(!scratch.path().join("ran").exists());
}

#[tokio::test]
async fn a_repository_that_names_programs_is_told() {
    let scratch = tempfile::tempdir().unwrap();
    let runner = runner(scratch.path(), RunOptions::default());
    let here = scratch.path().to_str().unwrap();
    let cx = ToolContext::default();
    assert_eq!(runner.git_hazards(here).await, Vec::<String>::new(), "no repository");

    let setup = "git init -q . && mkdir sub && printf '[filter \"f\"]\\nclean = touch ran\\n' > .git/more";
    respond(runner.run(args(setup), &cx)).await;
    assert_eq!(runner.git_hazards(&format!("{here}/sub")).await, Vec::<String>::new());

    let settings = [
        "diff.external x",
        "diff.d.textconv x",
        "Diff.d.Command x",
        "filter.f.clean x",
        "filter.f.process x",
        "include.path more",
        "extensions.partialClone origin",
    ];
    for setting in settings {
        respond(runner.run(args(&format!("git config {setting}")), &cx)).await;
        assert_eq!(runner.git_hazards(&format!("{here}/sub")).await.len(), 1, "{setting}");
        let key = setting.split(' ').next().unwrap();
        respond(runner.run(args(&format!("git config --unset {key}")), &cx)).await;
    }

    let nested = format!("git init -q sub && git -C sub {IDENTITY} commit -q --allow-empty -m x && git add sub");
    respond(runner.run(args(&nested), &cx)).await;
    let hazards = runner.git_hazards(here).await;
    assert!(hazards.len() == 1 && hazards[0].contains("submodules"), "{hazards:?}");
    // There git says so and does nothing.
    assert_eq!(runner.git_hazards("/no-such-directory").await, Vec::<String>::new());
}
