//! Passages to search and questions to ask, out of this repository.

use cupel::ContextItem;

use crate::dice::Dice;
use crate::repository::corpus;

/// Words of a question.
const QUESTION: usize = 8;

/// How many passages make a document where there are documents.
const PARTS: usize = 20;

/// What the repository says and does, as words between spaces.
pub(crate) struct Texts {
    prose: String,
    code: String,
}

impl Texts {
    pub(crate) fn of_this_repository() -> Self {
        Self { prose: corpus(&["docs"], &["md"]), code: corpus(&["crates"], &["rs"]) }
    }

    /// So many passages of so many words, from anywhere: by turns documentation and source.
    pub(crate) fn passages(&self, count: usize, words: usize) -> Vec<String> {
        let sources = [starts_of_words(&self.prose), starts_of_words(&self.code)];
        let texts = [&self.prose, &self.code];
        let mut dice = Dice(count as u64 ^ words as u64);
        let passage = |at: usize| excerpt(texts[at % 2], &sources[at % 2], words, &mut dice);
        (0..count).map(passage).collect()
    }

    /// So many questions: words in a row, out of the documentation; others for each `seed`.
    pub(crate) fn questions(&self, count: usize, seed: u64) -> Vec<String> {
        let starts = starts_of_words(&self.prose);
        let mut dice = Dice(seed ^ 0xa5c);
        (0..count).map(|_| excerpt(&self.prose, &starts, QUESTION, &mut dice)).collect()
    }
}

/// Passages as candidates, of their own or as parts of documents.
pub(crate) fn items(passages: &[String], in_documents: bool) -> Vec<ContextItem> {
    let item = |(at, passage): (usize, &String)| {
        let tokens = passage.len().div_ceil(4) as i64;
        let mut item = ContextItem::builder(passage.as_str(), tokens);
        if in_documents {
            item = item.document(format!("document {}", at / PARTS)).position((at % PARTS) as i64);
        }
        item.build().expect("a valid item")
    };
    passages.iter().enumerate().map(item).collect()
}

fn starts_of_words(text: &str) -> Vec<usize> {
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace().map(start).collect()
}

/// So many words in a row, with what is between them.
fn excerpt(text: &str, starts: &[usize], words: usize, dice: &mut Dice) -> String {
    let first = dice.within(0..starts.len() - words);
    text[starts[first]..starts[first + words]].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_and_questions_are_as_long_as_asked_for_and_the_same_every_time() {
        let texts = Texts::of_this_repository();
        let passages = texts.passages(50, 100);
        assert_eq!(passages, texts.passages(50, 100));
        assert!(passages.iter().all(|it| it.split_whitespace().count() == 100));
        let questions = texts.questions(3, 7);
        assert_eq!(questions, texts.questions(3, 7));
        assert!(questions.iter().all(|it| it.split_whitespace().count() == QUESTION));
        assert_ne!(questions, texts.questions(3, 8));
    }
}
