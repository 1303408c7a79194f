//! tantivy, in memory.

use tantivy::collector::TopDocs;
use tantivy::query::BooleanQuery;
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenStream;
use tantivy::{Index, ReloadPolicy, Searcher, TantivyDocument, Term};

use crate::TOP;

/// Room for all passages, so that they make one segment.
const MEMORY: usize = 1 << 30;

pub(crate) struct Tantivy {
    searcher: Searcher,
    text: Field,
}

impl Tantivy {
    /// Indexes passages on one thread, and commits.
    pub(crate) fn of(passages: &[String]) -> Self {
        Self::try_of(passages).expect("memory does not fail")
    }

    fn try_of(passages: &[String]) -> tantivy::Result<Self> {
        let mut schema = Schema::builder();
        // How often a word is in a passage, which is all that BM25 asks for, and not where.
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("en_stem")
            .set_index_option(IndexRecordOption::WithFreqs);
        let text =
            schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, MEMORY)?;
        for passage in passages {
            let mut document = TantivyDocument::new();
            document.add_text(text, passage);
            writer.add_document(document)?;
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { searcher: reader.searcher(), text })
    }

    /// The best passages, best first: any word of the question is enough.
    pub(crate) fn top(&self, question: &str) -> Vec<usize> {
        let mut tokenizer =
            self.searcher.index().tokenizer_for_field(self.text).expect("it comes with tantivy");
        let mut tokens = tokenizer.token_stream(question);
        let mut terms = Vec::new();
        tokens.process(&mut |token| terms.push(Term::from_field_text(self.text, &token.text)));
        let query = BooleanQuery::new_multiterms_query(terms);
        let best = TopDocs::with_limit(TOP).order_by_score();
        let found = self.searcher.search(&query, &best).expect("memory does not fail");
        found.into_iter().map(|(_, address)| address.doc_id as usize).collect()
    }

    /// In how many segments they are: passages have their numbers only in one.
    pub(crate) fn segments(&self) -> usize {
        self.searcher.segment_readers().len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.searcher.space_usage().expect("memory does not fail").total().get_bytes()
    }
}
