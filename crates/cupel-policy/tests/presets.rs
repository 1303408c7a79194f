//! The presets.

use std::path::Path;

use cupel::{ContextBudget, ContextItem, ExclusionReason, Pipeline, RunContext};
use cupel_policy::{ItemReader, PolicyFile, Preset, preset};

#[test]
fn each_is_what_its_table_says() {
    let mut printed = String::new();
    for preset in Preset::ALL {
        printed += &preset.policy_file().to_json().unwrap();
        printed += "\n";
    }
    insta::assert_snapshot!(printed);
}

#[test]
fn each_is_found_by_name_in_any_case() {
    for preset in Preset::ALL {
        for name in [preset.name().to_owned(), preset.name().to_uppercase(), format!("{preset:?}")]
        {
            assert_eq!(name.parse::<Preset>(), Ok(preset), "{name}");
        }
    }
    let message = "codeReviw".parse::<Preset>().unwrap_err().to_string();
    assert!(message.contains("did you mean \"codeReview\"?"), "{message}");
}

#[test]
fn each_printed_as_a_file_loads_as_itself() {
    for preset in Preset::ALL {
        let file = preset.policy_file();
        assert_eq!(PolicyFile::from_json(&file.to_json().unwrap()).unwrap(), file);
    }
}

#[test]
fn a_name_is_a_policy_file_too() {
    for preset in Preset::ALL {
        let json = format!("{:?}", preset.name());
        assert_eq!(PolicyFile::from_json(&json).unwrap(), preset.policy_file());
    }
}

#[test]
fn each_says_in_one_sentence_when_to_use_it() {
    for preset in Preset::ALL {
        let sentence = preset.when_to_use();
        assert!(sentence.ends_with('.') && sentence.matches(". ").count() == 0, "{sentence}");
    }
}

#[test]
fn each_function_runs() {
    let functions = [
        preset::chat,
        preset::code_review,
        preset::rag,
        preset::document_qa,
        preset::tool_use,
        preset::long_running,
        preset::debugging,
        preset::answer,
        preset::agent,
        preset::recent_first,
    ];
    let items = [ContextItem::builder("a", 5).build().unwrap()];
    let budget = ContextBudget::builder(1_000).build().unwrap();
    for function in functions {
        let asked = RunContext::new().with_query("a");
        let pipeline = Pipeline::from(function()).in_context(asked);
        assert_eq!(pipeline.run(&items, &budget).unwrap().len(), 1);
    }
}

/// The items of a file in `examples/data`.
fn sample(name: &str) -> Vec<ContextItem> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data");
    let text = std::fs::read_to_string(data.join(name)).unwrap();
    ItemReader::new().keep_unknown_keys().read(&text).unwrap().items
}

#[test]
fn document_qa_fills_its_window_and_leaves_out_only_what_does_not_fit() {
    let pipeline = Pipeline::from(preset::document_qa());
    for name in ["support-chat.jsonl", "rag-candidates.json", "agent-log.jsonl"] {
        let items = sample(name);
        for tokens in [500, 1_500, 8_000] {
            let budget = ContextBudget::builder(tokens).build().unwrap();
            let report = pipeline.dry_run(&items, &budget).unwrap();
            let used: i64 = report.included.iter().map(|it| it.item.tokens()).sum();
            if report.excluded.iter().any(|it| it.reason.name() == "BudgetExceeded") {
                assert!(used * 100 >= tokens * 95, "{name}: {used} of {tokens}");
            }
            for it in &report.excluded {
                if let ExclusionReason::BudgetExceeded { item_tokens, available_tokens, .. } =
                    it.reason
                {
                    assert!(item_tokens > available_tokens, "{name} at {tokens}: {it:?}");
                }
            }
        }
    }
}
