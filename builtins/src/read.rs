//! Showing files to a model: text with line numbers, images, PDF documents.

mod image;
mod pdf;
mod text;

use std::borrow::Cow;
use std::sync::Arc;

use agentscope_tool::backend::{Backend, BackendErrorKind, FileStream};
use agentscope_tool::prelude::*;
use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::target::{HASHED, Target, failed, fault};

/// The media types that most models take.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Read a file: text with line numbers, or an image.
///
/// - `file_path` has to be absolute.
/// - Text comes as lines, each with its number, a tab, and the line itself. Without `offset` and `limit` you get the first
///   2000 lines; a note at the end says how many follow and how to go on. Lines of more than 2000 characters are cut.
/// - Read a file before you change it.
#[derive(Clone, Debug, Tool)]
#[spec(read_only, state_injected)]
pub struct Read {
    backend: Arc<dyn Backend>,
    max_line_characters: usize,
    max_output_bytes: usize,
    max_data_bytes: u64,
    accepted: Vec<String>,
    accepts: GlobSet,
}

/// The arguments of [`Read`].
#[tool_args]
pub struct ReadArgs {
    /// The absolute path of the file.
    pub file_path: String,
    /// The first line to read, counted from 1. Only for text.
    #[serde(default = "first_line")]
    #[schemars(range(min = 1))]
    pub offset: u64,
    /// How many lines to read at most. Only for text.
    #[serde(default = "most_lines")]
    #[schemars(range(min = 1, max = 2000))]
    pub limit: u64,
    /// The pages of a PDF document to read, such as "3" or "1-5"; at most 20 at once. Only for PDF documents.
    pub pages: Option<String>,
}

fn first_line() -> u64 {
    1
}

fn most_lines() -> u64 {
    2000
}

impl Read {
    /// Reads files of this machine.
    #[cfg(all(feature = "local", unix))]
    #[must_use]
    pub fn local() -> Self {
        Self::on(crate::local())
    }

    /// Reads files of that environment.
    #[must_use]
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        let read = Self {
            backend,
            max_line_characters: 2000,
            max_output_bytes: 256 * 1024,
            max_data_bytes: 5 * 1024 * 1024,
            accepted: Vec::new(),
            accepts: GlobSet::empty(),
        };
        read.model_input_types(IMAGES)
    }

    /// How many characters of a line are shown at most. Default: 2,000.
    #[must_use]
    pub fn max_line_characters(mut self, characters: usize) -> Self {
        self.max_line_characters = characters;
        self
    }

    /// How many bytes of text a call gives at most; a note says how to go on. Default: 256 KiB.
    #[must_use]
    pub fn max_output_bytes(mut self, bytes: usize) -> Self {
        self.max_output_bytes = bytes;
        self
    }

    /// How large an image or a document may be, in bytes. Default: 5 MiB.
    #[must_use]
    pub fn max_data_bytes(mut self, bytes: u64) -> Self {
        self.max_data_bytes = bytes;
        self
    }

    /// The media types that the model takes beside text, such as `image/png`; `image/*` stands for all images. With
    /// `application/pdf` PDF documents are given as they are, without it as text, if the feature `pdf` is on. Default:
    /// `image/png`, `image/jpeg`, `image/gif` and `image/webp`.
    ///
    /// What is no pattern stands for nothing.
    #[must_use]
    pub fn model_input_types(mut self, types: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.accepted = types.into_iter().map(Into::into).collect();
        let mut set = GlobSetBuilder::new();
        for glob in self.accepted.iter().filter_map(|pattern| Glob::new(pattern).ok()) {
            set.add(glob);
        }
        self.accepts = set.build().unwrap_or_default();
        self
    }

    async fn read(&self, args: ReadArgs, state: &AgentState) -> Result<Vec<ContentBlock>, ToolError> {
        let target = Target::find(&*self.backend, &args.file_path).await?;
        let stat = target.existing()?;
        if stat.size > HASHED {
            return self.read_large(args, &target, state).await;
        }
        let content = match self.backend.read(&target.path, HASHED).await {
            Ok(content) => content,
            // It has grown meanwhile, or does not say how large it is.
            Err(error) if error.kind() == BackendErrorKind::TooLarge => {
                return self.read_large(args, &target, state).await;
            }
            Err(error) => return Err(failed(&error)),
        };
        // What is not text, and is said to be not, may be replaced by something else all the same.
        target.remember(&content.stat, Some(&content.bytes), state);
        let blocks = match Kind::of(&content.bytes) {
            Kind::Text => {
                let text = text::from_bytes(&content.bytes, self.limits(&args), &target.given)?;
                vec![TextBlock::new(text).into()]
            }
            Kind::Image(media_type) => vec![self.image(media_type, &content.bytes, &target)?.into()],
            Kind::Broken(message) => return Err(fault(format!("`{}` {message}", target.given))),
            Kind::Pdf => pdf::read(self, &args, content.bytes.clone(), &target).await?,
        };
        Ok(blocks)
    }

    /// A file that is not held in memory, unless it is a document.
    async fn read_large(
        &self,
        args: ReadArgs,
        target: &Target,
        state: &AgentState,
    ) -> Result<Vec<ContentBlock>, ToolError> {
        let stream = self.backend.read_stream(&target.path, (..).into()).await.map_err(|error| failed(&error))?;
        let stat = *stream.stat();
        target.remember(&stat, None, state);
        let mut stream = stream.peekable();
        let head = match std::pin::Pin::new(&mut stream).peek().await {
            Some(Ok(head)) => head.clone(),
            _ => agentscope_tool::backend::Bytes::new(),
        };
        let blocks = match Kind::of(&head) {
            Kind::Text => {
                let text = text::from_stream(stream, self.limits(&args), &target.given).await?;
                vec![TextBlock::new(text).into()]
            }
            Kind::Broken(message) => return Err(fault(format!("`{}` {message}", target.given))),
            Kind::Image(_) => return Err(self.too_large("image", stat.size, target)),
            Kind::Pdf if stat.size > self.max_data_bytes => {
                return Err(self.too_large("document", stat.size, target));
            }
            Kind::Pdf => {
                drop(stream);
                let content = self.backend.read(&target.path, self.max_data_bytes).await;
                let content = content.map_err(|error| failed(&error))?;
                pdf::read(self, &args, content.bytes, target).await?
            }
        };
        Ok(blocks)
    }

    fn limits(&self, args: &ReadArgs) -> crate::text::PagerLimits {
        crate::text::PagerLimits {
            offset: args.offset,
            lines: args.limit,
            line_characters: self.max_line_characters,
            bytes: self.max_output_bytes,
        }
    }

    fn image(&self, media_type: &'static str, bytes: &[u8], target: &Target) -> Result<DataBlock, ToolError> {
        if !self.accepts.is_match(media_type) {
            let images: Vec<_> = self.accepted.iter().filter(|kind| kind.starts_with("image/")).cloned().collect();
            let images = if images.is_empty() { "none".to_owned() } else { images.join(", ") };
            return Err(fault(format!(
                "`{}` is an image of type {media_type}, which the model cannot look at. Image types that it can look at: \
                 {images}.",
                target.given
            )));
        }
        if bytes.len() as u64 > self.max_data_bytes {
            return Err(self.too_large("image", bytes.len() as u64, target));
        }
        Ok(self.data(media_type, bytes, target))
    }

    fn data(&self, media_type: &'static str, bytes: &[u8], target: &Target) -> DataBlock {
        let name = self.backend.file_name(&target.given).unwrap_or(&target.given);
        DataBlock::from_bytes(media_type, bytes).named(name)
    }

    fn too_large(&self, what: &str, size: u64, target: &Target) -> ToolError {
        let (given, most) = (&target.given, self.max_data_bytes);
        fault(format!("The {what} `{given}` has {size} bytes, more than the {most} that can be given to the model."))
    }

    fn accepts_pdf(&self) -> bool {
        self.accepts.is_match(pdf::MEDIA_TYPE)
    }
}

/// What a file holds, by its first bytes.
enum Kind {
    Text,
    Image(&'static str),
    Pdf,
    /// It claims to be something that it is not; the end of a sentence that begins with its path.
    Broken(String),
}

impl Kind {
    fn of(bytes: &[u8]) -> Self {
        match image::media_type(bytes) {
            Some(Ok(media_type)) => Self::Image(media_type),
            Some(Err(message)) => Self::Broken(message),
            None if bytes.starts_with(b"%PDF-") => Self::Pdf,
            None => Self::Text,
        }
    }
}

type Pieces = futures_util::stream::Peekable<FileStream>;

impl ToolBody for Read {
    type Args = ReadArgs;
    type Output = Result<Vec<ContentBlock>, ToolError>;

    async fn call(&self, args: ReadArgs, cx: ToolContext) -> Result<Vec<ContentBlock>, ToolError> {
        self.read(args, cx.agent_state()).await
    }

    async fn footprint(&self, args: &ReadArgs) -> Footprint {
        Footprint::on(Arc::clone(&self.backend)).reads(&*args.file_path)
    }

    async fn check_permissions(&self, _: &ReadArgs, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::passthrough()
    }

    fn generate_suggestions(&self, _: &ReadArgs, footprint: &Footprint) -> Vec<PermissionRule> {
        footprint.suggest_directories("Read")
    }

    fn describe(&self) -> Option<Cow<'static, str>> {
        let mut text = self.spec().description().to_owned();
        let images: Vec<_> =
            self.accepted.iter().filter(|kind| kind.starts_with("image/")).map(String::as_str).collect();
        if !images.is_empty() {
            text.push_str(&format!("\n- You can look at images of these types: {}.", images.join(", ")));
        }
        if let Some(line) = pdf::description(self.accepts_pdf()) {
            text.push_str(&format!("\n- {line}"));
        }
        Some(text.into())
    }
}
