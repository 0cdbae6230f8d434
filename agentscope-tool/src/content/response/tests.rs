use serde_json::json;

use super::*;
use crate::content::{DataBlock, TextBlock};

fn text(text: &str, id: &str) -> ToolChunk {
    ToolChunk::new(vec![TextBlock::new(text).with_id(id).into()])
}

fn response(chunks: Vec<ToolChunk>) -> ToolResponse {
    let mut response = ToolResponse::new("call");
    for chunk in chunks {
        response.append_chunk(chunk).unwrap();
    }
    response
}

#[test]
fn interleaved_deltas_keep_each_text_whole() {
    let response = response(vec![text("A1", "1"), text("B1", "2"), text("A2", "1"), text("B2", "2"), text("A3", "1")]);
    assert_eq!(response.text(), "A1A2A3B1B2");
    assert_eq!(response.content.len(), 1);
}

#[test]
fn an_empty_delta_between_two_texts_keeps_the_order() {
    let response = response(vec![text("A", "1"), text("", "2"), text("a", "1"), text("B", "2")]);
    assert_eq!(response.text(), "AaB");
}

#[test]
fn texts_without_an_id_are_joined_in_order_of_arrival() {
    let response = response(vec![text("A", "1"), ToolChunk::text("x"), text("a", "1"), ToolChunk::text("y")]);
    assert_eq!(response.text(), "Aaxy");
}

#[test]
fn data_between_texts_separates_them() {
    let image = ToolChunk::new(vec![DataBlock::from_bytes("image/png", [1]).into()]);
    let response = response(vec![text("A", "1"), image, text("a", "1"), text("B", "2")]);
    let kinds: Vec<_> = response.content.iter().map(ContentBlock::as_text).collect();
    assert_eq!(kinds, [Some("Aa"), None, Some("B")]);
}

#[test]
fn base64_that_is_not_valid_is_joined_as_text() {
    let piece = |data: &str| {
        ToolChunk::new(vec![
            DataBlock::new(crate::Base64Source { data: data.into(), media_type: String::new() }).with_id("d").into(),
        ])
    };
    let response = response(vec![piece("QQ=="), piece("%%")]);
    let ContentBlock::Data(block) = &response.content[0] else { panic!("not data") };
    let DataSource::Base64(source) = &block.source else { panic!("not base64") };
    assert_eq!(source.data, "QQ==%%");
}

#[test]
fn a_text_with_the_id_of_a_datum_is_kept_under_another_id() {
    let mut response = response(vec![ToolChunk::new(vec![DataBlock::from_bytes("a/b", [1]).with_id("x").into()])]);
    response.append_chunk(text("t", "x")).unwrap();
    assert_eq!(response.content.len(), 2);
    assert_ne!(response.content[1].id().as_str(), "x");
}

#[test]
fn a_refused_chunk_leaves_the_response_as_it_was() {
    let mut response =
        response(vec![ToolChunk::new(vec![DataBlock::from_url("a/b", "https://e.x").with_id("d").into()])]);
    let before = response.clone();
    let chunk = ToolChunk::new(vec![TextBlock::new("t").into(), DataBlock::from_bytes("a/b", [1]).with_id("d").into()]);
    let error = response.append_chunk(chunk).unwrap_err();
    insta::assert_snapshot!(error, @"data block `d` cannot be continued: a url cannot be joined with other data; give the new block an id of its own");
    assert_eq!(response, before);
}

#[test]
fn the_later_of_interrupted_and_denied_counts_and_error_stays() {
    use ToolResultState::{Denied, Error, Interrupted, Success};
    let state = |states: &[ToolResultState]| {
        response(states.iter().map(|state| ToolChunk::text("t").with_state(*state)).collect()).state
    };
    assert_eq!(state(&[Interrupted, Denied]), Denied);
    assert_eq!(state(&[Denied, Interrupted, Success]), Interrupted);
    assert_eq!(state(&[Error, Denied, Interrupted]), Error);
}

#[test]
fn the_json_of_a_response_round_trips() {
    let mut response =
        response(vec![text("A", "1"), ToolChunk::new(vec![DataBlock::from_bytes("a/b", [1]).named("n").into()])]);
    response.metadata.insert("k".into(), json!([1]));
    let json = serde_json::to_value(&response).unwrap();
    assert_eq!(json["content"][0]["type"], "text");
    assert_eq!(json["content"][1]["source"]["type"], "base64");
    let back: ToolResponse = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(back).unwrap(), json);
}

#[test]
fn a_response_is_of_at_most_128_bytes() {
    // Compilers move larger values by calling `memcpy`, which every layer of futures around a call would do.
    assert!(size_of::<ToolResponse>() <= 128);
}
