//! The end of what a process prints, however much that is.
//!
//! Output goes through a pipe and never to disk: a mutant that prints without end must not fill it.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{OFlags, fcntl_setfl};

const KEPT: usize = 4096;
const CHUNK: usize = 64 * 1024;
/// So that a flood of output cannot keep us from looking at the limits.
const CHUNKS_AT_ONCE: usize = 16;

pub struct Tail {
    pipe: Option<std::fs::File>,
    kept: Vec<u8>,
}

impl Tail {
    pub fn of(pipe: Option<OwnedFd>) -> Tail {
        let pipe = pipe.filter(|pipe| fcntl_setfl(pipe, OFlags::NONBLOCK).is_ok());
        Tail { pipe: pipe.map(Into::into), kept: Vec::new() }
    }

    /// What to wait on; `None` after the end.
    pub fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(|pipe| pipe.as_fd())
    }

    /// Takes what is there without waiting.
    pub fn drain(&mut self) {
        let mut chunk = [0; CHUNK];
        for _ in 0..CHUNKS_AT_ONCE {
            let Some(pipe) = &mut self.pipe else { return };
            match pipe.read(&mut chunk) {
                Ok(0) => self.pipe = None,
                Ok(length) => self.keep(&chunk[..length]),
                Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => return,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.pipe = None,
            }
        }
    }

    /// What was printed since the last time.
    pub fn take(&mut self) -> String {
        self.drain();
        let text = self.text();
        self.kept.clear();
        text
    }

    fn keep(&mut self, new: &[u8]) {
        self.kept.extend_from_slice(new);
        let surplus = self.kept.len().saturating_sub(KEPT);
        self.kept.drain(..surplus);
    }

    /// The kept bytes as text; a character that the cut has halved is left out.
    pub fn text(&self) -> String {
        let is_cut = self.kept.len() == KEPT;
        let inside = |byte: &&u8| is_cut && **byte & 0b1100_0000 == 0b1000_0000;
        let skipped = self.kept.iter().take(3).take_while(inside).count();
        String::from_utf8_lossy(&self.kept[skipped..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(bytes: &[u8]) -> Tail {
        let mut tail = Tail::of(None);
        bytes.chunks(1000).for_each(|chunk| tail.keep(chunk));
        tail
    }

    #[test]
    fn only_the_end_is_kept() {
        let text = printed(&[b"x".repeat(10_000), b"the end".to_vec()].concat()).text();
        assert_eq!(text.len(), KEPT);
        assert!(text.ends_with("xthe end"));
    }

    #[test]
    fn a_halved_character_at_the_cut_is_left_out() {
        let text = printed("é".repeat(3000).as_bytes()).text();
        assert_eq!(text.chars().next(), Some('é'));
        let shifted = printed(format!("{}a", "é".repeat(3000)).as_bytes()).text();
        assert_eq!(shifted.chars().next(), Some('é'));
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        assert_eq!(printed(b"a\xffb").text(), "a\u{fffd}b");
    }
}
