//! Value to JSON to value, and JSON to value to JSON.

use cupel::Pipeline;
use cupel_policy::{Loader, PolicyFile, Request, Responder, Response, schema};
use proptest::prelude::*;

use crate::generate::{policy_files, requests};

fn validator(schema: schemars::Schema) -> jsonschema::Validator {
    jsonschema::draft202012::new(&serde_json::to_value(schema).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn policy_files_survive(file in policy_files()) {
        let canonical = file.to_json().unwrap();
        let read = PolicyFile::from_json(&canonical);
        let read = read.unwrap_or_else(|error| panic!("{error}\n{canonical}"));
        prop_assert_eq!(&read, &file);
        prop_assert_eq!(read.to_json().unwrap(), canonical);
        prop_assert!(file.policy().is_ok());
    }

    #[test]
    fn requests_survive_and_are_answered_as_a_pipeline_would(request in requests()) {
        let json = serde_json::to_string(&request).unwrap();
        let read = Request::from_json(&json);
        let read = read.unwrap_or_else(|error| panic!("{error}\n{json}"));
        prop_assert_eq!(&serde_json::to_string(&read).unwrap(), &json);

        // Decay scorers without a reference time would see two times.
        let loader = Loader::new().clock(At(cupel_testing::generate::reference_time()));
        let file = read.policy.to_policy_file();
        let policy = match read.now {
            Some(now) => loader.clone().clock(At(now)).build(&file).unwrap(),
            None => loader.build(&file).unwrap(),
        };
        let pipeline = Pipeline::from(policy).in_context(read.context());
        let expected = pipeline.run(&read.items, &read.budget);
        let responder = Responder::new().loader(loader).timings(false);
        let response = responder.respond_to(&read);
        match (&expected, &response) {
            (Ok(window), Response::Selected(selected)) => {
                prop_assert_eq!(window.len(), selected.items.len());
                for (item, answered) in window.iter().zip(&selected.items) {
                    // A shorter form is made by each run, of the same item.
                    prop_assert!(item.whole().is_same_instance(answered.whole()));
                    prop_assert_eq!((item.content(), item.tokens()), (answered.content(), answered.tokens()));
                }
            }
            (Err(refused), Response::Failed { error, .. }) => prop_assert_eq!(refused.name(), &error.code),
            _ => prop_assert!(false, "{:?} but {:?}", expected, response),
        }
        let written = response.to_json();
        prop_assert_eq!(&responder.respond(json.as_bytes()).to_json(), &written);
        let again = serde_json::from_str::<Response>(&written).unwrap();
        prop_assert_eq!(again.to_json(), written);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_valid_by_its_schema(request in requests()) {
        let written = serde_json::to_value(&request).unwrap();
        let problem = validator(schema::request()).validate(&written).map_err(|it| it.to_string());
        prop_assert_eq!(problem, Ok(()));
        let response = serde_json::to_value(Responder::new().respond_to(&request)).unwrap();
        let problem = validator(schema::response()).validate(&response).map_err(|it| it.to_string());
        prop_assert_eq!(problem, Ok(()));
    }
}

struct At(chrono::DateTime<chrono::Utc>);

impl cupel::TimeProvider for At {
    fn now(&self) -> chrono::DateTime<chrono::Utc> {
        self.0
    }
}
