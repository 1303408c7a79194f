//! Counting as a model does.

use std::time::Duration;

use cupel_tokens::image::{self, Detail, Size};
use cupel_tokens::{Basis, Counter, Model, UnknownName};

use crate::model::Media;
use crate::{Format, MediaPart, Meter, Request};

/// A recording or a video whose length is unknown is taken to last a minute.
const ASSUMED_DURATION: Duration = Duration::from_secs(60);

/// A file whose pages are unknown is taken to be as long as this.
const ASSUMED_FILE_TOKENS: i64 = 3_000;

/// Counts as a model does: text by its vocabulary, images by its formula from their real dimensions, and what it charges
/// per message and per request.
///
/// ```
/// use cupel_messages::{Meter, ModelMeter, Request};
///
/// let request = Request::read(r#"{"model": "gpt-5", "messages": [{"role": "user", "content": "hello world"}]}"#)?;
/// let meter = ModelMeter::of(&request);
/// assert_eq!(request.count(&meter).total(), 2 + 3 + 3);
/// assert!(!meter.basis().is_estimate());
/// # Ok::<(), cupel_messages::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ModelMeter<C = Model> {
    model: Model,
    counter: C,
}

impl ModelMeter {
    /// Counts as the model with this name does.
    ///
    /// # Errors
    /// If no such model is known; the error lists names that are spelled alike.
    pub fn by_name(name: &str) -> Result<Self, UnknownName> {
        Model::by_name(name).map(|model| Self { model: *model, counter: *model })
    }

    /// Counts as the model of a request does; where it names none that is known, as a usual one of its provider.
    pub fn of(request: &Request) -> Self {
        let named = request.model().and_then(|name| Self::by_name(name).ok());
        named.unwrap_or_else(|| Self::usual(request.format()))
    }

    /// Counts as a usual model of the provider does.
    pub fn usual(format: Format) -> Self {
        let name = match format {
            Format::OpenAiChat | Format::OpenAiResponses => "gpt-5",
            // Of the two tokenizers, the one that makes more of a text.
            Format::Anthropic => "claude-opus-4-7",
            Format::Gemini => "gemini-2.5-pro",
        };
        Self::by_name(name).expect("a test holds that these are known")
    }
}

impl<C: Counter> ModelMeter<C> {
    /// Counts text with `counter`, a cache for instance, and the rest as `model` does.
    pub fn with_counter(model: Model, counter: C) -> Self {
        Self { model, counter }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }
}

impl<C: Counter> Meter for ModelMeter<C> {
    fn text(&self, text: &str) -> i64 {
        self.counter.count(text)
    }

    fn media(&self, media: &MediaPart<'_>) -> i64 {
        match media.kind {
            Media::Image => {
                let source = media.source();
                let size =
                    source.and_then(|it| Size::of_data_url(&it).or_else(|| Size::of_base64(&it)));
                let detail = media.detail().and_then(|it| Detail::by_name(&it)).unwrap_or_default();
                image::tokens(&self.model, size, detail).map_or(0, |count| count.tokens)
            }
            Media::Audio => {
                self.model.audio_tokens(ASSUMED_DURATION).unwrap_or(ASSUMED_FILE_TOKENS)
            }
            Media::Video => {
                self.model.video_tokens(ASSUMED_DURATION).unwrap_or(ASSUMED_FILE_TOKENS)
            }
            Media::File => ASSUMED_FILE_TOKENS,
        }
    }

    fn per_message(&self) -> i64 {
        self.model.overhead.per_message
    }

    fn per_name(&self) -> i64 {
        self.model.overhead.per_name
    }

    fn per_request(&self) -> i64 {
        self.model.overhead.per_reply
    }

    fn with_tools(&self) -> i64 {
        self.model.overhead.with_tools
    }

    fn basis(&self) -> Basis {
        self.counter.basis()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_has_a_usual_model() {
        for format in Format::ALL {
            assert!(ModelMeter::usual(format).text("hello") > 0);
        }
    }

    #[test]
    fn images_cost_by_their_size_and_not_by_their_base64() {
        // The first bytes of a PNG file of 1000 by 1000 pixels, and a long rest.
        let start = "iVBORw0KGgoAAAANSUhEUgAAA+gAAAPoCAYAAAD";
        let data = format!("{start}{}", "A".repeat(40_000));
        let anthropic = format!(
            r#"{{"model":"claude-sonnet-4-5","messages":[{{"role":"user","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{data}"}}}}]}}]}}"#
        );
        let request = Request::read(anthropic).unwrap();
        assert_eq!(request.count(&ModelMeter::of(&request)).media, 1296);
        let chat = format!(
            r#"{{"model":"gpt-4o","messages":[{{"role":"user","content":[{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{data}","detail":"low"}}}}]}}]}}"#
        );
        let request = Request::read(chat).unwrap();
        assert_eq!(request.count(&ModelMeter::of(&request)).media, 85);
    }
}
