//! The catalogue as a whole; its parts are tested in the files below.

use super::*;

#[test]
fn every_file_of_the_catalogue_can_be_read() {
    for (name, text) in FILES {
        if let Err(error) = format::read(text) {
            panic!("{name}.txt, {error}");
        }
    }
}
