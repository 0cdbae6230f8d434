//! Read, asked for PDF documents.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::sync::Arc;

use agentscope_tool::backend::Backend;
use agentscope_tool::prelude::*;
use agentscope_tool::testing::MemoryBackend;
use agentscope_tool_builtins::{Read, Write};
use serde_json::{Value, json};

#[tokio::test]
async fn documents_are_given_to_a_model_that_takes_them() {
    let whole = "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\n\
        endobj\n3 0 obj\n<</Type/Page/Parent 2 0 R>>\nendobj\ntrailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n";
    let backend = MemoryBackend::new().file("/w/a.pdf", whole).file("/w/cut.pdf", &whole[..20]);
    let shared: Arc<dyn Backend> = Arc::new(backend);
    let reads = Read::on(Arc::clone(&shared)).model_input_types(["application/pdf"]);
    let response = testing::call(reads.clone(), json!({ "file_path": "/w/a.pdf" })).await;
    let Some(ContentBlock::Data(data)) = response.content.first() else { panic!("no data: {}", response.text()) };
    let expected = DataBlock::from_bytes("application/pdf", whole.as_bytes());
    assert_eq!((data.name.as_deref(), &data.source), (Some("a.pdf"), &expected.source));
    for (read, path) in [(reads.clone(), "/w/cut.pdf"), (reads.max_data_bytes(10), "/w/a.pdf")] {
        let response = testing::call(read, json!({ "file_path": path })).await;
        assert_eq!(response.state, ToolResultState::Error, "{}", response.text());
    }

    let toolkit = Toolkit::builder().tool(Read::on(Arc::clone(&shared))).tool(Write::on(shared)).build().unwrap();
    let state = AgentState::new();
    let call =
        async |tool: &str, input: Value| toolkit.call_unchecked(ToolCall::from_value("c", tool, &input), &state).await;
    let response = call("Read", json!({ "file_path": "/w/a.pdf", "pages": null })).await;
    let expected = match cfg!(feature = "pdf") {
        true => "--- Page 1/1 ---\n\n\n[Page without text that can be read, perhaps pictures: 1.]",
        false => "`/w/a.pdf` is a PDF document, which cannot be read here.",
    };
    assert_eq!(response.text(), expected);
    // Whatever was shown of it, the agent knows that it is there.
    let input = json!({ "file_path": "/w/a.pdf", "content": "x" });
    assert_eq!(call("Write", input).await.state, ToolResultState::Success);
}

#[test]
fn what_a_model_is_told_follows_from_the_configuration() {
    let read = Read::on(Arc::new(MemoryBackend::new())).max_line_characters(7).model_input_types(["*/*"]);
    let description =
        Toolkit::builder().tool(read).build().unwrap().specs(&AgentState::new())[0].description().to_owned();
    assert!(description.contains("more than 7 characters"), "{description}");
    assert!(description.contains("images of these types: */*") && description.contains("PDF"), "{description}");
}
