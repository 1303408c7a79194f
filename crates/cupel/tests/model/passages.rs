//! What an item may say of its document and of its closeness to a query, and what is said of others.

use cupel::{ContextItem, ContextItemBuilder, CupelError, Query};

fn item() -> ContextItemBuilder {
    ContextItem::builder("a part", 10)
}

#[test]
fn an_item_keeps_its_place_and_its_closeness() {
    let item = item().document("guide.md").position(-3).similarity(-0.5).vector([0.6, 0.8]);
    let item = item.build().unwrap();
    assert_eq!((item.document(), item.position()), (Some("guide.md"), Some(-3)));
    assert_eq!((item.similarity(), item.vector()), (Some(-0.5), &[0.6, 0.8][..]));

    let plain = ContextItem::builder("a part", 10).build().unwrap();
    assert_eq!((plain.document(), plain.position()), (None, None));
    assert_eq!((plain.similarity(), plain.vector()), (None, &[][..]));
}

#[test]
fn a_document_has_a_name() {
    for blank in ["", " ", "\t\n"] {
        assert_eq!(item().document(blank).build(), Err(CupelError::EmptyDocument), "{blank:?}");
    }
    let message = CupelError::EmptyDocument.to_string();
    assert!(message.contains("blank") && message.contains("leave the document out"), "{message}");
}

#[test]
fn a_similarity_is_a_finite_number() {
    for similarity in [0.0, -0.0, -1.0, 42.0, f64::MAX, f64::MIN_POSITIVE] {
        assert!(item().similarity(similarity).build().is_ok(), "{similarity}");
    }
    for similarity in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let refused = item().similarity(similarity).build().unwrap_err();
        assert_eq!(refused.name(), "InvalidSimilarity");
        let message = refused.to_string();
        assert!(message.contains(&similarity.to_string()), "{message}");
        assert!(message.contains("leave it out"), "{message}");
    }
}

#[test]
fn vectors_are_made_of_finite_numbers() {
    for vector in [vec![], vec![0.0], vec![f32::MAX, -1.0, f32::MIN_POSITIVE]] {
        assert!(item().vector(vector.clone()).build().is_ok(), "{vector:?}");
        assert!(Query::new("why?").with_vector(vector).is_ok());
    }
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let of_item = item().vector([1.0, number]).build().unwrap_err();
        let of_query = Query::new("why?").with_vector([1.0, number]).unwrap_err();
        for refused in [of_item, of_query] {
            assert_eq!(refused.name(), "InvalidVector");
            let message = refused.to_string();
            assert!(message.contains(&format!("its number 2 is {number}")), "{message}");
        }
    }
}

#[test]
fn items_differ_by_what_they_say_and_not_by_how_they_were_built() {
    let built = |builder: ContextItemBuilder| builder.build().unwrap();
    assert_ne!(built(item()), built(item().document("guide.md")));
    assert_ne!(built(item()), built(item().position(0)));
    assert_ne!(built(item()), built(item().similarity(0.0)));
    assert_ne!(built(item()), built(item().vector([0.0])));
    assert_eq!(built(item()), built(item().vector([])));
    assert_eq!(built(item().document("a").position(1)), built(item().position(1).document("a")));
}
