//! Showing files to a model: text with line numbers, images, PDF documents.

mod image;
mod pdf;
mod text;

use std::borrow::Cow;
use std::sync::Arc;

use agentscope_tool::backend::{Backend, BackendErrorKind, Bytes, FileContent};
use agentscope_tool::prelude::*;
use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::target::{HASHED, Target, failed, fault};
use crate::text::{PagerLimits, TextFormat};

/// The media types that most models take.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/// The media types of the images that are told from other files.
const KNOWN_IMAGES: [&str; 7] =
    ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff", "image/x-icon"];
/// A document of which only text or some pages are given may be larger than one that is given as it is, in bytes.
const MOST_DOCUMENT: u64 = 32 * 1024 * 1024;
/// Fewer bytes than this are gone through faster than another thread begins.
const AT_ONCE: u64 = 64 * 1024;

/// Read a file: text with line numbers, or an image.
///
/// - `file_path` has to be absolute.
/// - Text comes as lines, each with its number, a tab, and the line itself. Without `offset` and `limit` you get the first
///   2000 lines; a note at the end says how many follow and how to go on.
/// - Read a file before you change it.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use agentscope_tool::testing::{self, MemoryBackend};
/// use agentscope_tool_builtins::Read;
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let backend = MemoryBackend::new().file("/srv/notes.txt", "buy milk\nbuy eggs\nbuy bread\n");
/// let read = Read::on(Arc::new(backend)).model_input_types(["image/png", "application/pdf"]);
///
/// let response = testing::call(read, json!({ "file_path": "/srv/notes.txt", "offset": 2, "limit": 1 })).await;
/// assert_eq!(response.text(), "     2\tbuy eggs\n\n[1 more line follows; read on with offset 3.]");
/// # }
/// ```
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
        if target.existing()?.size <= HASHED {
            match self.backend.read(&target.path, HASHED).await {
                Ok(content) => return self.read_small(args, target, content, state).await,
                // It has grown meanwhile, or does not say how large it is.
                Err(error) if error.kind() == BackendErrorKind::TooLarge => {}
                Err(error) => return Err(failed(&error)),
            }
        }
        self.read_large(args, target, state).await
    }

    async fn read_small(
        &self,
        args: ReadArgs,
        target: Target,
        content: FileContent,
        state: &AgentState,
    ) -> Result<Vec<ContentBlock>, ToolError> {
        let (size, limits, state) = (content_size(&content), self.limits(&args), state.clone());
        let look = move || {
            // What is not text, and is said to be not, may be replaced by something else all the same.
            target.remember(&content.stat, Some(&content.bytes), &state);
            let kind = Kind::of(&content.bytes, true);
            let text = match kind {
                Kind::Text(format) => text::from_bytes(&content.bytes, format, limits),
                _ => String::new(),
            };
            (kind, text, target, content)
        };
        let (kind, text, target, content) = off_thread(size, look).await?;
        match kind {
            Kind::Text(_) => Ok(vec![TextBlock::new(text).into()]),
            Kind::Binary => Err(binary(&target, size)),
            Kind::Image(format) => self.image(format, content, &target).await,
            Kind::Pdf => pdf::read(self, &args, content.bytes, &target).await,
        }
    }

    /// A file that is not held in memory, unless it is an image or a document.
    async fn read_large(
        &self,
        args: ReadArgs,
        target: Target,
        state: &AgentState,
    ) -> Result<Vec<ContentBlock>, ToolError> {
        let mut stream = self.backend.read_stream(&target.path, (..).into()).await.map_err(|error| failed(&error))?;
        let stat = *stream.stat();
        let head = text::head(&mut stream).await?;
        // Where it ends is known only if it says so: some files of the system have no size, and yet content.
        let size = (stat.size > HASHED).then_some(stat.size);
        let (most, what) = match Kind::of(&head, false) {
            Kind::Text(format) => {
                let text = text::from_stream(head, stream, size, format, self.limits(&args)).await?;
                target.remember(&stat, None, state);
                return Ok(vec![TextBlock::new(text).into()]);
            }
            Kind::Binary => {
                target.remember(&stat, None, state);
                return Err(binary(&target, stat.size));
            }
            Kind::Image(format) => {
                self.check_accepted(format, &target).inspect_err(|_| target.remember(&stat, None, state))?;
                (self.max_data_bytes, "image")
            }
            Kind::Pdf => {
                pdf::check_readable(self, &target).inspect_err(|_| target.remember(&stat, None, state))?;
                (self.max_document_bytes(), "document")
            }
        };
        drop(stream);
        match self.backend.read(&target.path, most).await {
            Ok(content) => {
                target.remember(&content.stat, Some(&content.bytes), state);
                match Kind::of(&content.bytes, true) {
                    Kind::Image(format) => self.image(format, content, &target).await,
                    Kind::Pdf => pdf::read(self, &args, content.bytes, &target).await,
                    _ => Err(fault(format!("`{}` was changed while it was read. Read it again.", target.given))),
                }
            }
            Err(error) if error.kind() == BackendErrorKind::TooLarge => {
                target.remember(&stat, None, state);
                Err(too_large(what, stat.size, most, &target))
            }
            Err(error) => Err(failed(&error)),
        }
    }

    fn limits(&self, args: &ReadArgs) -> PagerLimits {
        PagerLimits {
            offset: args.offset,
            lines: args.limit,
            line_characters: self.max_line_characters,
            bytes: self.max_output_bytes,
        }
    }

    fn check_accepted(&self, format: image::Format, target: &Target) -> Result<(), ToolError> {
        let media_type = format.media_type();
        if self.accepts.is_match(media_type) {
            return Ok(());
        }
        let images = self.accepted_images();
        let images = if images.is_empty() { "none".to_owned() } else { images.join(", ") };
        Err(fault(format!(
            "`{}` is an image of type {media_type}, which the model cannot look at. Image types that it can look at: {images}.",
            target.given
        )))
    }

    async fn image(
        &self,
        format: image::Format,
        content: FileContent,
        target: &Target,
    ) -> Result<Vec<ContentBlock>, ToolError> {
        self.check_accepted(format, target)?;
        let size = content_size(&content);
        if size > self.max_data_bytes {
            return Err(too_large("image", size, self.max_data_bytes, target));
        }
        if !format.is_whole(&content.bytes) {
            return Err(fault(format!(
                "`{}` begins as a {} image, but is not a valid one: it is truncated or damaged ({size} bytes).",
                target.given,
                format.name()
            )));
        }
        self.data(format.media_type(), content.bytes, target).await
    }

    /// The bytes as a block. Writing them as text takes a while when there are many.
    async fn data(
        &self,
        media_type: &'static str,
        bytes: Bytes,
        target: &Target,
    ) -> Result<Vec<ContentBlock>, ToolError> {
        let name = self.backend.file_name(&target.given).unwrap_or(&target.given).to_owned();
        let size = bytes.len() as u64;
        let block = move || DataBlock::from_bytes(media_type, &bytes).named(name);
        Ok(vec![off_thread(size, block).await?.into()])
    }

    fn accepts_pdf(&self) -> bool {
        self.accepts.is_match(pdf::MEDIA_TYPE)
    }

    /// How large a document may be of which some is given away.
    fn max_document_bytes(&self) -> u64 {
        if cfg!(feature = "pdf") { self.max_data_bytes.max(MOST_DOCUMENT) } else { self.max_data_bytes }
    }

    /// The accepted types, as they were given, that are some of an image.
    fn accepted_images(&self) -> Vec<&str> {
        let is_image = |pattern: &str| {
            let matches = |glob: Glob| KNOWN_IMAGES.iter().any(|kind| glob.compile_matcher().is_match(kind));
            pattern.starts_with("image/") || Glob::new(pattern).is_ok_and(matches)
        };
        self.accepted.iter().map(String::as_str).filter(|pattern| is_image(pattern)).collect()
    }
}

fn too_large(what: &str, size: u64, most: u64, target: &Target) -> ToolError {
    fault(format!("The {what} `{}` has {size} bytes, more than the {most} that can be looked at.", target.given))
}

fn binary(target: &Target, size: u64) -> ToolError {
    // Files of the system may not say their size.
    let size = if size > 0 { format!(" of {size} bytes") } else { String::new() };
    fault(format!("`{}` is a binary file{size}, not text.", target.given))
}

fn content_size(content: &FileContent) -> u64 {
    content.bytes.len() as u64
}

/// Does the work on a thread that may block, if there are so many bytes that it takes a while.
async fn off_thread<T: Send + 'static>(bytes: u64, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ToolError> {
    if bytes <= AT_ONCE { Ok(work()) } else { crate::blocking(work).await }
}

/// What a file holds, by its bytes or the first of them.
#[derive(Clone, Copy)]
enum Kind {
    Text(TextFormat),
    Image(image::Format),
    Pdf,
    Binary,
}

impl Kind {
    fn of(bytes: &[u8], is_whole: bool) -> Self {
        if let Some(format) = image::Format::of(bytes) {
            return Self::Image(format);
        }
        if bytes.starts_with(b"%PDF-") {
            return Self::Pdf;
        }
        TextFormat::of(bytes, is_whole).map_or(Self::Binary, Self::Text)
    }
}

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
        text.push_str(&format!("\n- Lines of more than {} characters are cut.", self.max_line_characters));
        let images = self.accepted_images();
        if !images.is_empty() {
            text.push_str(&format!("\n- You can look at images of these types: {}.", images.join(", ")));
        }
        if let Some(line) = pdf::description(self.accepts_pdf()) {
            text.push_str(&format!("\n- {line}"));
        }
        Some(text.into())
    }
}
