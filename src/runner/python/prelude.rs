//! One line of Python that brings the word which probes call.
//!
//! Most interpreters get it from our `sitecustomize`. One that a test starts with an empty environment, or isolated (`-I`), does not;
//! without the word its woven code would fail, and a test that expects a failure would seem to reach nothing.

use std::os::unix::ffi::OsStrExt;

use crate::runner::{Request, asked};

const PROGRAM: &str = include_str!("helper/prelude.py");

/// A statement on one line, in ASCII whatever the encoding of the file into which it is woven. Leaves no name behind, and an
/// interpreter that knows the word as it is.
pub fn prelude(request: &Request) -> Option<String> {
    let folder = asked::hits_folder(request.folder);
    let (program, folder) = (escaped(PROGRAM.as_bytes()), escaped(folder.as_os_str().as_bytes()));
    request.reach.then(|| format!("exec(\"{program}\", {{\"folder\": b\"{folder}\"}})"))
}

/// What stands in quotes for these bytes.
fn escaped(bytes: &[u8]) -> String {
    let one = |byte: &u8| match byte {
        b'\n' => "\\n".to_owned(),
        b'"' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    bytes.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_path_becomes_one_line_of_ascii() {
        assert_eq!(escaped("a \"é\"\n\\".as_bytes()), r#"a \"\xc3\xa9\"\n\\"#);
    }
}
