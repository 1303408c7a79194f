//! No number of a policy may be NaN or infinite, so that whatever was read can be written as JSON.

use cupel_policy::Loader;
use proptest::prelude::*;
use proptest::sample::select;

use crate::comments::tokens;
use crate::generate::policy_files;

proptest! {
    #[test]
    fn numbers_are_refused_wherever_they_stand_in_a_policy(
        file in policy_files(),
        number in select(vec!["NaN", "Infinity", "-Infinity"]),
    ) {
        let canonical = file.to_json().unwrap();
        let tokens = tokens(&canonical);
        prop_assert_eq!(Loader::new().parse_values(&tokens.concat()).unwrap().policy, file);
        let is_number = |token: &&str| token.starts_with(|it: char| it == '-' || it.is_ascii_digit());
        for at in (0..tokens.len()).filter(|at| is_number(&tokens[*at])) {
            let mut tokens = tokens.clone();
            tokens[at] = number;
            let text = tokens.concat();
            prop_assert!(Loader::new().parse_values(&text).is_err(), "{}", text);
        }
    }
}
