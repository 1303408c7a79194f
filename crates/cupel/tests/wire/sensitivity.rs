use cupel::{ItemStatus, PolicySensitivityReport};

use crate::{refusal, survives};

const EXAMPLE: &str = r#"{
  "variants": [
    {
      "label": "chat",
      "report": {
        "events": [],
        "included": [
          {
            "item": { "content": "hello", "tokens": 1, "kind": "Message" },
            "score": 0.5,
            "reason": { "reason": "Scored" }
          }
        ],
        "excluded": [],
        "total_candidates": 1,
        "total_tokens_considered": 1
      }
    },
    {
      "label": "rag",
      "report": {
        "events": [],
        "included": [],
        "excluded": [
          {
            "item": { "content": "hello", "tokens": 1, "kind": "Message" },
            "score": 0.0,
            "reason": { "reason": "BudgetExceeded", "item_tokens": 1, "available_tokens": 0 }
          }
        ],
        "total_candidates": 1,
        "total_tokens_considered": 1
      }
    }
  ],
  "diffs": [
    {
      "content": "hello",
      "statuses": [
        { "label": "chat", "status": "Included" },
        { "label": "rag", "status": "Excluded" }
      ]
    }
  ]
}"#;

#[test]
fn a_sensitivity_report_is_read_and_written_without_loss() {
    let report: PolicySensitivityReport = survives(EXAMPLE);
    assert_eq!(report.variants[1].0, "rag");
    assert_eq!(report.diffs[0].statuses[0], ("chat".to_owned(), ItemStatus::Included));
}

#[test]
fn an_unknown_status_is_refused_with_the_names_there_are() {
    let message = refusal::<PolicySensitivityReport>(&EXAMPLE.replace("Excluded\" }", "Gone\" }"));
    assert!(
        message.contains("`Gone`") && message.contains("`Included` or `Excluded`"),
        "{message}"
    );
}
