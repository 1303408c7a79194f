//! Files in the shapes of their publishers, written by us, and what becomes of them.

use std::fmt::Write;
use std::path::PathBuf;

use cupel_eval::import::{Asked, ImportOptions, Imported, Source};
use cupel_eval::{Contender, Set, SetReader};

fn sample(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples")).join(name)
}

fn imported(source: Source, name: &str) -> Imported {
    source.read(&sample(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The set that was imported: whatever an importer writes can be read.
fn set(imported: &Imported) -> Set {
    let mut reader = SetReader::new();
    for line in &imported.lines {
        let json = line.to_json();
        reader.line(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    }
    reader.finish().unwrap()
}

/// Each pool with its items, then each question with its evidence.
fn told(imported: &Imported) -> String {
    let set = set(imported);
    let mut told = String::new();
    for pool in set.pools() {
        writeln!(told, "pool {}", pool.name()).unwrap();
        for (at, item) in pool.items().iter().enumerate() {
            let content: String = item.content().chars().take(60).collect();
            write!(told, "  {} [{}", pool.id(at), item.kind()).unwrap();
            if let (Some(document), Some(position)) = (item.document(), item.position()) {
                write!(told, ", {document} {position}").unwrap();
            }
            if let Some(time) = item.timestamp() {
                write!(told, ", {}", time.to_rfc3339()).unwrap();
            }
            if let Some(group) = item.group() {
                write!(told, ", with {group}").unwrap();
            }
            writeln!(told, "] {content:?}").unwrap();
        }
    }
    for question in set.questions() {
        let pool = set.pool_of(question);
        let gold: Vec<_> = question.gold().items().iter().map(|at| pool.id(*at)).collect();
        let (id, text) = (question.id(), question.query().text());
        let among = set.candidates(question).len();
        writeln!(told, "{id} of {among} in {}: {text:?} needs {gold:?}", pool.name()).unwrap();
    }
    for note in &imported.notes {
        writeln!(told, "note: {note}").unwrap();
    }
    told
}

#[test]
fn locomo_is_turns_by_session_with_their_times() {
    insta::assert_snapshot!(told(&imported(Source::LoCoMo, "locomo.json")));
}

#[test]
fn qmsum_is_turns_of_meetings() {
    insta::assert_snapshot!(told(&imported(Source::QmSum, "qmsum.jsonl")));
    let one = told(&imported(Source::QmSum, "meeting.json"));
    assert!(one.starts_with("pool meeting\n"), "a meeting alone has the name of its file: {one}");
}

#[test]
fn hotpotqa_is_sentences_of_pages_and_a_pool_for_each_question() {
    insta::assert_snapshot!(told(&imported(Source::HotpotQa, "hotpotqa.json")));
}

#[test]
fn chunking_evaluation_is_chunks_and_characters() {
    let imported = imported(Source::ChunkingEvaluation, "chunking");
    insta::assert_snapshot!(told(&imported));
    let set = set(&imported);
    let text = std::fs::read_to_string(sample("chunking/corpora/harbour.md")).unwrap();
    let chunks: String = set.pools()[0].items().iter().map(|item| item.content()).collect();
    assert_eq!(chunks, text);
    // The characters of the first question are in the first chunk.
    assert_eq!(set.questions()[0].gold().recall(|item| (item == 0).then_some(0)), 1.0);
    let table = Source::ChunkingEvaluation.read(&sample("chunking/questions_df.csv")).unwrap();
    assert_eq!(table, imported, "the folder or the table in it");
}

#[test]
fn a_transcript_is_messages_and_what_the_next_step_uses_of_them() {
    insta::assert_snapshot!(told(&imported(Source::Transcripts, "transcript.openai.json")));
    insta::assert_snapshot!(told(&imported(Source::Transcripts, "transcript.messages.jsonl")));
}

#[test]
fn steps_are_asked_with_the_user_alone_if_that_is_wanted() {
    let mut options = ImportOptions::default();
    options.asked = Asked::User;
    let read = Source::Transcripts.read_with(&sample("transcript.openai.json"), &options).unwrap();
    let texts: Vec<_> =
        set(&read).questions().iter().map(|it| it.query().text().to_owned()).collect();
    assert!(texts.iter().all(|text| !text.contains('\n')), "{texts:?}");
    let read = imported(Source::Transcripts, "transcript.openai.json");
    let asked = set(&read).questions().last().unwrap().query().text().to_owned();
    assert_eq!(
        asked,
        "Please cancel the second one.\ncancel\n{\"order\": \"W4712\", \"customer\": \"C-2099\"}"
    );
}

#[test]
fn long_outputs_of_a_transcript_have_shorter_forms_that_may_still_be_evidence() {
    let examples =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/eval/transcripts"));
    let read = Source::Transcripts.read(&examples).unwrap();
    let set = set(&read);
    let with_forms = |set: &Set| {
        set.pools().iter().flat_map(|it| it.items()).filter(|it| !it.variants().is_empty()).count()
    };
    assert!(with_forms(&set) >= 4, "{}", with_forms(&set));
    // What is needed of some is in a shorter form, and of others it is not.
    let (mut kept, mut lost) = (0, 0);
    for question in set.questions() {
        for item in question.gold().items() {
            let forms = set.candidates(question)[item].variants().len();
            for form in 1..=forms {
                let is_missed =
                    question.gold().missed(|at| (at == item).then_some(form)).contains(&item);
                if is_missed { lost += 1 } else { kept += 1 }
            }
        }
    }
    assert!(kept > 0 && lost > 0, "{kept} kept, {lost} lost");

    let mut options = ImportOptions::default();
    options.shorten = None;
    let plain = Source::Transcripts.read_with(&examples, &options).unwrap();
    let mut reader = SetReader::new();
    plain.lines.iter().for_each(|line| reader.line(&line.to_json()).unwrap());
    let plain = reader.finish().unwrap();
    assert_eq!((with_forms(&plain), plain.questions().len()), (0, set.questions().len()));
}

#[test]
fn the_ceiling_finds_nearly_all_in_half_of_a_transcript() {
    let read = imported(Source::Transcripts, "transcript.openai.json");
    let set = set(&read);
    for question in set.questions() {
        let held = Contender::ceiling().window(&set, question, i64::MAX).unwrap();
        assert_eq!(question.gold().recall(|item| held.form(item)), 1.0, "{}", question.id());
    }
}

/// What an importer says to a file that holds `bytes`.
fn refused(source: Source, name: &str, bytes: &[u8]) -> String {
    let folder =
        std::env::temp_dir().join(format!("cupel-eval-{}-{}", std::process::id(), source.name()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, bytes).unwrap();
    let path = if source == Source::ChunkingEvaluation { folder.clone() } else { file };
    let told = match source.read(&path) {
        Ok(read) => panic!("{} took {bytes:?}: {read:?}", source.name()),
        Err(error) => error.to_string(),
    };
    std::fs::remove_dir_all(&folder).unwrap();
    told.replace(&folder.display().to_string(), "FOLDER")
}

#[test]
fn files_of_another_shape_are_told_with_place_and_remedy() {
    let cases: &[(Source, &str, &str)] = &[
        (Source::LoCoMo, "locomo10.json", ""),
        (
            Source::LoCoMo,
            "locomo10.json",
            "[{\"sample_id\": \"a\", \"conversation\": {}, \"qa\": []",
        ),
        (Source::LoCoMo, "locomo10.json", "{\"questions\": []}"),
        (
            Source::LoCoMo,
            "locomo10.json",
            "[{\"sample_id\": \"a\", \"conversation\": {\"speaker_a\": \"x\"}, \"qa\": []}]",
        ),
        (
            Source::LoCoMo,
            "locomo10.json",
            "[{\"sample_id\": \"a\", \"conversation\": {\"session_1\": \"hello\"}, \"qa\": []}]",
        ),
        (Source::QmSum, "test.jsonl", "{\"meeting_transcripts\": [], \"specific_query_list\": []}"),
        (Source::QmSum, "test.jsonl", "[1]"),
        (
            Source::QmSum,
            "test.jsonl",
            "{\"meeting_transcripts\": [{\"speaker\": \"a\"}], \"specific_query_list\": []}",
        ),
        (Source::HotpotQa, "hotpot.json", "{\"data\": []}"),
        (
            Source::HotpotQa,
            "hotpot.json",
            "[{\"_id\": \"a\", \"question\": \"b\", \"supporting_facts\": [[\"t\"]], \"context\": []}]",
        ),
        (Source::ChunkingEvaluation, "other.csv", "question\n"),
        (Source::ChunkingEvaluation, "questions_df.csv", ""),
        (Source::ChunkingEvaluation, "questions_df.csv", "question,corpus_id\nx,y\n"),
        (
            Source::ChunkingEvaluation,
            "questions_df.csv",
            "question,references,corpus_id\n\"never ends",
        ),
        (
            Source::ChunkingEvaluation,
            "questions_df.csv",
            "question,references,corpus_id\nx,[],../secret\n",
        ),
        (Source::Transcripts, "chat.json", "{\"hello\": 1}"),
        (Source::Transcripts, "chat.json", "[{\"role\": \"user\", \"content\": \"hi\"}]"),
        (
            Source::Transcripts,
            "chat.json",
            "{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}",
        ),
        (
            Source::Transcripts,
            "chat.json",
            "{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}, {\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"c\", \"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}]}, {\"role\": \"tool\", \"tool_call_id\": \"c\", \"content\": \"x\"}, {\"role\": \"tool\", \"tool_call_id\": \"c\", \"content\": \"y\"}]}",
        ),
    ];
    let mut table = String::new();
    for (source, name, text) in cases {
        let shown: String = text.chars().take(90).collect();
        writeln!(
            table,
            "{} {shown:?}\n  {}",
            source.name(),
            refused(*source, name, text.as_bytes())
        )
        .unwrap();
    }
    writeln!(
        table,
        "bytes that are no text\n  {}",
        refused(Source::HotpotQa, "x.json", b"\xff\xfe[]")
    )
    .unwrap();
    insta::assert_snapshot!(table);
}

#[test]
fn what_is_not_there_is_told() {
    for source in Source::ALL {
        let error = source.read(&sample("nowhere")).unwrap_err();
        assert!(error.place.contains("nowhere") && !error.remedy.is_empty(), "{error}");
    }
}
