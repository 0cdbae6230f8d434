//! The tool that runs shell commands.

mod check;
mod place;

use std::sync::Arc;

use agentscope_tool::ProtectedPaths;
use agentscope_tool::backend::Backend;
use agentscope_tool::prelude::*;

use super::catalogue::Catalogue;
use super::rule::{self, Pattern, Patterns};
use super::run::{BashArgs, RunOptions, Runner};
use super::{EntryError, Shell};
use check::Check;
use place::Place;

/// Run a shell command and get what it prints.
///
/// - The command gets no input and no terminal, so nothing can be asked of it. Give options such as `--yes` where a program
///   would ask.
/// - What only reads (`ls`, `git log`, `grep` and many more) runs by itself; for the rest somebody may have to be asked. Write
///   commands plainly: what cannot be understood before it runs is asked about.
/// - To read, find, write and change files, use the tools for that instead of `cat`, `find`, `sed` and redirections.
#[derive(Clone, Debug, Tool)]
#[spec(concurrency_safe = false, destructive, open_world, state_injected)]
pub struct Bash {
    backend: Arc<dyn Backend>,
    options: RunOptions,
    runner: Runner,
    protected: Option<ProtectedPaths>,
    /// What is known of commands, if that is more than comes with the crate.
    catalogue: Option<Arc<Catalogue>>,
}

impl Bash {
    /// Runs commands on this machine.
    #[cfg(all(feature = "local", unix))]
    #[must_use]
    pub fn local() -> Self {
        Self::on(crate::local())
    }

    /// Runs commands in that environment, with bash, or with `sh` where there is no bash.
    #[must_use]
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        let options = RunOptions::default();
        let runner = Runner::new(Arc::clone(&backend), options.clone());
        Self { backend, options, runner, protected: None, catalogue: None }
    }

    fn with(mut self, change: impl FnOnce(RunOptions) -> RunOptions) -> Self {
        self.options = change(self.options);
        self.runner = Runner::new(Arc::clone(&self.backend), self.options.clone());
        self
    }

    /// The directory that commands run in. Default: the environment's current directory.
    #[must_use]
    pub fn cwd(self, path: impl Into<String>) -> Self {
        self.with(|options| options.cwd(path))
    }

    /// Sets a variable for all commands.
    #[must_use]
    pub fn env(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.with(|options| options.env(name, value))
    }

    /// Takes a variable away from all commands.
    #[must_use]
    pub fn env_remove(self, name: impl Into<String>) -> Self {
        self.with(|options| options.env_remove(name))
    }

    /// How many characters of a command's output are given, half of them from its end. Default: 30,000.
    #[must_use]
    pub fn output_limit(self, characters: usize) -> Self {
        self.with(|options| options.output_limit(characters))
    }

    /// A command that changes the directory changes it for the next ones of the conversation, too.
    ///
    /// Where a command starts is then only known when it runs, so relative paths count as unknown when it is decided about:
    /// commands that change files by them, and all of git, are asked about unless the command says `cd /an/absolute/path &&`
    /// first.
    #[must_use]
    pub fn keep_cwd(self) -> Self {
        self.with(RunOptions::keep_cwd)
    }

    /// What a command leaves in the background goes on when the command ends. By default it is ended.
    #[must_use]
    pub fn keep_background(self) -> Self {
        self.with(RunOptions::keep_background)
    }

    /// Names of files that are only changed after somebody was asked, beside the usual ones.
    #[must_use]
    pub fn additional_dangerous_files(mut self, files: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.protected = Some(self.protected.unwrap_or_default().additional_files(files));
        self
    }

    /// Names of directories in which files are only changed after somebody was asked, beside the usual ones.
    #[must_use]
    pub fn additional_dangerous_directories(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.protected = Some(self.protected.unwrap_or_default().additional_directories(names));
        self
    }

    /// Further commands that only read, such as `"mytool list: -v --format=text ; text*"`. The guide's page on Bash says how
    /// they are written; those of a settings file are [`PermissionSettings::read_only_commands`].
    ///
    /// ```
    /// use agentscope_tool_builtins::Bash;
    ///
    /// let bash = Bash::local().read_only_commands(["mytool list, mytool show: -v --format=(json|text) ; name*"])?;
    /// let error = Bash::local().read_only_commands(["mytool list"]).unwrap_err();
    /// assert!(error.to_string().starts_with("`mytool list` describes no command"));
    /// # Ok::<(), agentscope_tool_builtins::bash::EntryError>(())
    /// ```
    ///
    /// # Errors
    /// The first entry that is not understood.
    ///
    /// [`PermissionSettings::read_only_commands`]: agentscope_tool::PermissionSettings::read_only_commands
    pub fn read_only_commands<T: AsRef<str>>(
        mut self,
        entries: impl IntoIterator<Item = T>,
    ) -> Result<Self, EntryError> {
        self.catalogue = Some(Arc::new(self.known().with_read_only(entries)?));
        Ok(self)
    }

    fn known(&self) -> &Catalogue {
        self.catalogue.as_deref().unwrap_or_else(|| Catalogue::built_in())
    }

    /// Whether rules cover the command whichever shell runs it, which is not asked here. What one of the shells cannot
    /// read, that one will not run by a rule.
    fn is_covered(&self, patterns: &[Pattern], args: &BashArgs) -> bool {
        let read = [Shell::Bash, Shell::Posix].into_iter().map(|shell| args.read_by(shell, self.known()));
        let mut understood = read.filter(|analysis| analysis.fault.is_none()).peekable();
        understood.peek().is_some() && understood.all(|analysis| Patterns(patterns).cover(analysis))
    }

    /// The command as the shell that will run it reads it; without a shell, as bash does.
    async fn check<'a>(&'a self, args: &'a BashArgs) -> Check<'a> {
        let shell = self.runner.shell().await.unwrap_or(Shell::Bash);
        Check {
            text: &args.command,
            analysis: args.read_by(shell, self.known()),
            place: Place {
                backend: &*self.backend,
                cwd: self.runner.fixed_cwd().await,
                home: self.backend.home().await.ok(),
            },
            runner: &self.runner,
        }
    }
}

impl ToolBody for Bash {
    type Args = BashArgs;
    type Output = ToolStream;

    async fn call(&self, args: BashArgs, cx: ToolContext) -> ToolStream {
        self.runner.run(args, &cx)
    }

    async fn footprint(&self, args: &BashArgs) -> Footprint {
        let empty = Footprint::on(Arc::clone(&self.backend));
        self.check(args).await.footprint(empty, self.protected.as_ref()).await
    }

    async fn check_permissions(&self, args: &BashArgs, cx: &PermissionContext) -> PermissionDecision {
        self.check(args).await.decide(cx).await
    }

    async fn check_read_only(&self, args: &BashArgs) -> bool {
        self.check(args).await.is_read_only().await
    }

    fn match_rule(&self, rule: &PermissionRule, args: &BashArgs, _: &Footprint) -> bool {
        let Some(content) = rule.content() else { return true };
        let pattern = Pattern::new(content);
        match rule.behavior() {
            PermissionBehavior::Allow => self.is_covered(&[pattern], args),
            _ => [Shell::Bash, Shell::Posix].iter().any(|shell| pattern.hits(args.read_by(*shell, self.known()))),
        }
    }

    fn rules_that_cover(&self, rules: &[PermissionRule], args: &BashArgs, _: &Footprint) -> Vec<PermissionRule> {
        let read = args.read_by(Shell::Bash, self.known());
        let named = rules.iter().filter_map(|rule| {
            let pattern = Pattern::new(rule.content()?);
            pattern.names_any(read).then_some((rule, pattern))
        });
        let (rules, patterns): (Vec<_>, Vec<_>) = named.unzip();
        if self.is_covered(&patterns, args) { rules.into_iter().cloned().collect() } else { Vec::new() }
    }

    fn generate_suggestions(&self, args: &BashArgs, _: &Footprint) -> Vec<PermissionRule> {
        let contents = rule::suggestions(args.read_by(Shell::Bash, self.known()));
        let rule = |content| {
            PermissionRule::whole_tool("Bash", PermissionBehavior::Allow).with_content(content).with_source("suggested")
        };
        contents.into_iter().map(rule).collect()
    }
}
