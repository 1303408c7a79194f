//! Which variants an item may have, and what is said of others.

use cupel::{ContextItem, CupelError, ItemVariant};

/// What is said of an item of so many tokens with these variants.
#[track_caller]
fn refused(tokens: i64, variants: Vec<ItemVariant>) -> String {
    match ContextItem::builder("whole", tokens).variants(variants).build() {
        Err(CupelError::InvalidVariants(problem)) => problem,
        other => panic!("not refused as it should be: {other:?}"),
    }
}

fn of(tokens: i64) -> ItemVariant {
    ItemVariant::new(format!("{tokens}"), tokens)
}

#[test]
fn variants_cost_less_and_less_than_the_item() {
    let item = ContextItem::builder("whole", 10).variants([of(9), of(3), of(0)]).build().unwrap();
    let tokens: Vec<i64> = item.variants().iter().map(ItemVariant::tokens).collect();
    assert_eq!(tokens, [9, 3, 0]);

    for (variants, number, found, limit) in [
        (vec![of(10)], 1, "10 tokens", "fewer than 10"),
        (vec![of(11)], 1, "11 tokens", "fewer than 10"),
        (vec![of(5), of(5)], 2, "5 tokens", "fewer than 5"),
        (vec![of(5), of(6)], 2, "6 tokens", "fewer than 5"),
        (vec![of(-1)], 1, "-1 tokens", "at least 0"),
    ] {
        let problem = refused(10, variants);
        assert!(problem.contains(&format!("number {number} has {found}")), "{problem}");
        assert!(problem.contains(limit), "{problem}");
    }
    // Nothing is shorter than nothing.
    assert!(refused(0, vec![of(0)]).contains("fewer than 0"));
}

#[test]
fn variants_have_content() {
    let problem = refused(10, vec![of(5), ItemVariant::new("", 3)]);
    assert!(problem.contains("number 2 has no content"), "{problem}");
    assert!(problem.contains("at least one byte"), "{problem}");
}

#[test]
fn an_item_with_negative_tokens_has_none() {
    let problem = refused(-7, vec![of(1)]);
    assert!(problem.contains("(-7)") && problem.contains("correct the count"), "{problem}");
    assert!(ContextItem::builder("whole", -7).build().is_ok());
}

#[test]
fn worth_is_a_number_from_0_to_1() {
    for worth in [0.0, -0.0, 1.0, 0.5, f64::MIN_POSITIVE] {
        let variant = of(5).with_worth(worth);
        assert!(ContextItem::builder("whole", 10).variant(variant).build().is_ok(), "{worth}");
    }
    for worth in [f64::NAN, 2.0, -0.1, f64::INFINITY, f64::NEG_INFINITY, 1.0 + f64::EPSILON] {
        let problem = refused(10, vec![of(5).with_worth(worth)]);
        assert!(problem.contains(&format!("number 1 keeps {worth} ")), "{problem}");
        assert!(problem.contains("a number from 0 to 1"), "{problem}");
    }
}

#[test]
fn there_are_at_most_a_thousand() {
    let variants = |count: i64| (0..count).rev().map(of).collect::<Vec<_>>();
    let item = ContextItem::builder("whole", 5_000).variants(variants(1_000)).build().unwrap();
    assert_eq!(item.variants().len(), 1_000);
    let problem = refused(5_000, variants(1_001));
    assert!(problem.contains("1001") && problem.contains("1000"), "{problem}");
    assert!(problem.contains("keep those that differ enough"), "{problem}");
}

#[test]
fn items_differ_by_their_groups_and_variants() {
    let plain = || ContextItem::builder("whole", 10);
    let built = |builder: cupel::ContextItemBuilder| builder.build().unwrap();
    assert_ne!(built(plain()), built(plain().group("g")));
    assert_ne!(built(plain()), built(plain().variant(of(3))));
    assert_eq!(built(plain().variant(of(3))), built(plain().variant(of(3))));
    assert_ne!(built(plain().variant(of(3))), built(plain().variant(of(3).with_worth(0.5))));
}
