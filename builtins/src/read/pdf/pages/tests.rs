use lopdf::content::{Content, Operation};
use lopdf::{Object, Stream, dictionary};

use super::*;

/// A document with a page for each text.
fn document(texts: &[&str]) -> Document {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let font = document.add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Courier" });
    let resources = document.add_object(dictionary! { "Font" => dictionary! { "F1" => font } });
    let mut pages: Vec<Object> = Vec::new();
    for text in texts {
        let operations = vec![
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec!["F1".into(), 12.into()]),
            Operation::new("Td", vec![50.into(), 700.into()]),
            Operation::new("Tj", vec![Object::string_literal(*text)]),
            Operation::new("ET", vec![]),
        ];
        let content = Stream::new(dictionary! {}, Content { operations }.encode().unwrap());
        let content = document.add_object(content);
        let page = dictionary! { "Type" => "Page", "Parent" => tree, "Contents" => content };
        pages.push(document.add_object(page).into());
    }
    let box_ = [0, 0, 595, 842].map(Object::from).to_vec();
    let count = pages.len() as i64;
    let root = dictionary! {
        "Type" => "Pages", "Kids" => pages, "Count" => count, "Resources" => resources, "MediaBox" => box_
    };
    document.objects.insert(tree, Object::Dictionary(root));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    document
}

fn saved(mut document: Document) -> Bytes {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes.into()
}

fn pdf(texts: &[&str]) -> Bytes {
    saved(document(texts))
}

fn text(bytes: &[u8], pages: Option<&str>, room: usize) -> String {
    match texts(bytes, pages, room) {
        Ok(Extract::Text(text)) => text,
        Ok(Extract::Document(_)) => panic!("a document"),
        Err(Refusal::Pages(message) | Refusal::Broken(message)) => format!("refused: {message}"),
    }
}

#[test]
fn pages_are_a_number_or_a_range() {
    assert_eq!(wanted("3", 5), Ok(3..=3));
    assert_eq!(wanted(" 2 - 9 ", 5), Ok(2..=5));
    assert_eq!(wanted("1-20", 90), Ok(1..=20));
    for bad in ["", "x", "1-", "0", "3-2", "6", "1-21", "-1", "1,2", "99999999999"] {
        assert!(wanted(bad, if bad == "1-21" { 90 } else { 5 }).is_err(), "{bad}");
    }
}

#[test]
fn the_text_of_pages_is_given_with_their_numbers() {
    let bytes = pdf(&["first", "second", "third"]);
    assert_eq!(
        text(&bytes, None, 1000),
        "--- Page 1/3 ---\nfirst\n\n--- Page 2/3 ---\nsecond\n\n--- Page 3/3 ---\nthird"
    );
    assert_eq!(text(&bytes, Some("2"), 1000), "--- Page 2/3 ---\nsecond");
    assert!(text(&bytes, Some("4"), 1000).starts_with("refused: `pages` is \"4\""));
}

#[test]
fn long_documents_have_to_be_asked_for_by_page() {
    let many = ["x"; 30];
    let bytes = pdf(&many);
    assert!(text(&bytes, None, 1000).starts_with("refused: The PDF document has 30 pages"));
    assert!(text(&bytes, Some("1-21"), 1000).starts_with("refused: `pages` asks for 21 pages"));
    assert!(text(&bytes, Some("11-30"), 10_000).ends_with("--- Page 30/30 ---\nx"));
}

#[test]
fn text_without_room_is_left_out_and_said_to_be() {
    let long = "y".repeat(100);
    let bytes = pdf(&[&long, "short", &long]);
    let all = text(&bytes, None, 150);
    assert!(all.contains("--- Page 2/3 ---\nshort"), "{all}");
    assert!(all.ends_with("[There is no more room; read on with pages \"3\".]"), "{all}");
    let cut = text(&bytes, Some("1"), 30);
    assert_eq!(cut, format!("--- Page 1/3 ---\n{}\n\n[The text of page 1 was cut after 30 bytes.]", "y".repeat(30)));
}

#[test]
fn a_page_without_text_is_said_to_have_none() {
    let shown = text(&pdf(&["words", ""]), None, 1000);
    assert!(shown.ends_with("[Page without text that can be read, perhaps pictures: 2.]"), "{shown}");
}

#[test]
fn a_model_that_takes_documents_gets_the_same_bytes_or_a_smaller_document() {
    let bytes = pdf(&["first", "second", "third"]);
    let Ok(Extract::Document(whole)) = documents(&bytes, None) else { panic!("refused") };
    assert_eq!(whole, bytes);
    let Ok(Extract::Document(all)) = documents(&bytes, Some("1-9")) else { panic!("refused") };
    assert_eq!(all, bytes);
    let Ok(Extract::Document(part)) = documents(&bytes, Some("2-3")) else { panic!("refused") };
    assert_eq!(text(&part, None, 1000), "--- Page 1/2 ---\nsecond\n\n--- Page 2/2 ---\nthird");
}

#[test]
fn documents_that_are_damaged_or_empty_are_refused() {
    let bytes = pdf(&["first"]);
    assert!(text(&pdf(&[]), None, 1000).contains("no pages"));
    for broken in [&bytes[..9], &bytes[..bytes.len() / 4], b"%PDF-1.7", b"%PDF-1.7\nstartxref\n99999\n%%EOF"] {
        assert!(text(broken, None, 1000).starts_with("refused"), "{} bytes", broken.len());
    }
}

#[test]
fn a_document_that_unpacks_to_too_much_gives_no_text() {
    let mut bomb = document(&["x"]);
    let page = *bomb.get_pages().get(&1).unwrap();
    let content = bomb.get_page_contents(page)[0];
    let mut stream = Stream::new(dictionary! {}, vec![b' '; 3 * MOST_UNPACKED]);
    stream.compress().unwrap();
    assert!(stream.content.len() < MOST_UNPACKED / 100);
    bomb.objects.insert(content, stream.into());
    let shown = text(&saved(bomb), None, 1000);
    assert!(shown.ends_with("[Page without text that can be read, perhaps pictures: 1.]"), "{shown}");
}

#[test]
fn pages_that_go_in_circles_end() {
    let mut circle = document(&["x"]);
    let catalog = circle.catalog().unwrap().get(b"Pages").unwrap().as_reference().unwrap();
    let tree = circle.get_dictionary_mut(catalog).unwrap();
    tree.set("Kids", vec![Object::Reference(catalog), Object::Reference(catalog)]);
    assert!(text(&saved(circle), None, 1000).starts_with("refused"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn bytes_that_are_changed_anywhere_do_no_harm(at in 0_usize..600, value in proptest::prelude::any::<u8>(), cut in 0_usize..900) {
        let mut bytes = pdf(&["first", "second"]).to_vec();
        let length = bytes.len();
        bytes[at % length] = value;
        bytes.truncate(cut.max(8));
        // Whatever comes is an answer.
        text(&bytes, Some("1-2"), 100);
    }
}
