//! Requests made in Rust, for whoever has no JSON at hand.
//!
//! | file | answers |
//! |---|---|
//! | `script` | who says what when, and does it make sense? |
//! | `image` | what is an image given as? |
//! | `write` | what do they spell alike? |
//! | `openai_chat`, `openai_responses`, `anthropic`, `gemini` | how does a provider spell it? |

mod anthropic;
mod gemini;
mod image;
mod openai_chat;
mod openai_responses;
mod script;
mod write;

use serde::Serialize;

pub use image::Image;

use crate::json::quoted;
use crate::{Error, Format, Request};
use script::{Step, ToolCall, Turn};
use write::{Entry, object};

/// Makes a request out of what was said, in the order in which it was said, for any provider.
///
/// What one side says in a row becomes one message. Calls are the model's, and each has its result before anybody else
/// speaks; a call at the very end may wait for it. Words that are empty are left out, because providers refuse them.
/// [`build`](Self::build) checks all of that, and gives a [`Request`] like any other.
///
/// # OpenAI chat
///
/// ```
/// use cupel_messages::{Format, Request, validate};
/// use serde_json::json;
///
/// let request = Request::builder(Format::OpenAiChat)
///     .model("gpt-5")
///     .system("You help customers of a bike shop.")
///     .tool("orders", "Looks up an order.", json!({"type": "object", "properties": {"id": {"type": "integer"}}}))
///     .user("Is my bike ready? It is order 4711.")
///     .call("c1", "orders", json!({"id": 4711}))
///     .result("c1", "waiting for a chain, since Tuesday")
///     .assistant("Not yet: it waits for a chain.")
///     .user("Then what do I ride to work tomorrow?")
///     .build()?;
/// assert!(validate(&request).is_empty());
/// # Ok::<(), cupel_messages::Error>(())
/// ```
///
/// # OpenAI Responses
///
/// ```
/// # use cupel_messages::{Format, Request, validate};
/// use cupel_messages::Image;
///
/// let request = Request::builder(Format::OpenAiResponses)
///     .model("gpt-5")
///     .system("Answer in one sentence.")
///     .user("What is this?")
///     .image(Image::url("https://example.com/bike.jpg"))
///     .set("previous_response_id", "resp_123")
///     .build()?;
/// assert!(validate(&request).is_empty());
/// # Ok::<(), cupel_messages::Error>(())
/// ```
///
/// # Anthropic
///
/// ```
/// # use cupel_messages::{Format, Request, validate};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Order {
///     id: u32,
/// }
///
/// let request = Request::builder(Format::Anthropic)
///     .model("claude-opus-5-5")
///     .max_tokens(500)
///     .system("You help customers of a bike shop.")
///     .user("Are 4711 and 4712 ready?")
///     .assistant("Let me look.")
///     .call("c1", "orders", Order { id: 4711 })
///     .call("c2", "orders", Order { id: 4712 })
///     .result("c1", "waiting for a chain")
///     .result("c2", "ready")
///     .build()?;
/// assert!(validate(&request).is_empty());
/// assert_eq!(request.messages().len(), 3);
/// # Ok::<(), cupel_messages::Error>(())
/// ```
///
/// # Gemini
///
/// The model is in the address there, and in the request for SDKs and for [counting](crate::ModelMeter::of).
///
/// ```
/// # use cupel_messages::{Format, Request, validate};
/// use cupel_messages::Image;
/// use serde_json::json;
///
/// # let png = b"\x89PNG";
/// let request = Request::builder(Format::Gemini)
///     .model("gemini-3-pro")
///     .user("Which bike is this?")
///     .image(Image::new("image/png", png))
///     .call("c1", "catalogue", json!({"query": "blue city bike"}))
///     .result("c1", "No. 12, the Commuter")
///     .build()?;
/// assert!(validate(&request).is_empty());
/// # Ok::<(), cupel_messages::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is made before build"]
pub struct RequestBuilder {
    format: Format,
    model: Option<String>,
    max_tokens: Option<u32>,
    system: Vec<String>,
    tools: Vec<Tool>,
    settings: Vec<(String, Json)>,
    steps: Vec<Step>,
}

/// What a caller's value looks like as JSON, or why it has no such form.
type Json = Result<String, String>;

fn json(value: impl Serialize) -> Json {
    serde_json::to_string(&value).map_err(|error| error.to_string())
}

/// A tool that the model may call.
#[derive(Debug, Clone)]
struct Tool {
    name: String,
    description: String,
    parameters: Json,
}

/// A tool, spelled out.
struct ToolJson<'a> {
    name: String,
    description: String,
    parameters: &'a str,
}

/// What a provider's request is made of.
struct Draft<'a> {
    model: Option<&'a str>,
    max_tokens: Option<u32>,
    system: Option<String>,
    tools: Vec<ToolJson<'a>>,
    turns: Vec<Turn<'a>>,
}

impl Request {
    /// Starts a request of that format; see [`RequestBuilder`].
    pub fn builder(format: Format) -> RequestBuilder {
        RequestBuilder {
            format,
            model: None,
            max_tokens: None,
            system: Vec::new(),
            tools: Vec::new(),
            settings: Vec::new(),
            steps: Vec::new(),
        }
    }
}

impl RequestBuilder {
    /// The model it is for.
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.model = Some(name.into());
        self
    }

    /// The most tokens that the answer may have, by the provider's key for that. Anthropic wants one: 4,096 unless set.
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Instructions. They come first, wherever they are given; several are separated by an empty line.
    pub fn system(mut self, instructions: impl Into<String>) -> Self {
        self.system.push(instructions.into());
        self
    }

    /// A tool that the model may call; `parameters` is the JSON Schema of its arguments, an object.
    pub fn tool(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: impl Serialize,
    ) -> Self {
        let (name, description) = (name.into(), description.into());
        self.tools.push(Tool { name, description, parameters: json(parameters) });
        self
    }

    /// Any other key of the request: a temperature, a choice of tools.
    pub fn set(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.settings.push((key.into(), json(value)));
        self
    }

    /// The user says something.
    pub fn user(mut self, words: impl Into<String>) -> Self {
        self.steps.push(Step::User(words.into()));
        self
    }

    /// The user shows something.
    pub fn image(mut self, image: Image) -> Self {
        self.steps.push(Step::Image(image));
        self
    }

    /// The model said something.
    pub fn assistant(mut self, words: impl Into<String>) -> Self {
        self.steps.push(Step::Assistant(words.into()));
        self
    }

    /// The model called a tool, with `arguments` that are an object as JSON. Those that it made in one go follow one
    /// another, and only then their results. An id is used once.
    pub fn call(
        mut self,
        id: impl Into<String>,
        tool: impl Into<String>,
        arguments: impl Serialize,
    ) -> Self {
        let (id, name) = (id.into(), tool.into());
        self.steps.push(Step::Call(ToolCall { id, name, arguments: json(arguments) }));
        self
    }

    /// What the tool returned to the call `id`.
    pub fn result(mut self, id: impl Into<String>, text: impl Into<String>) -> Self {
        self.steps.push(Step::Result { id: id.into(), text: text.into() });
        self
    }

    /// The request.
    ///
    /// # Errors
    /// [`Error::Unbuildable`] names the step that makes no sense: a result for a call that was not made or has one
    /// already, a call without a result that somebody speaks after, an id that was used, arguments that are no object, a
    /// key that the builder writes itself, the model speaking first where the provider wants the user, or no message.
    pub fn build(&self) -> Result<Request, Error> {
        let draft = Draft {
            model: self.model.as_deref(),
            max_tokens: self.max_tokens,
            system: (!self.system.is_empty()).then(|| quoted(&self.system.join("\n\n"))),
            tools: self.tools.iter().map(Tool::spelled).collect::<Result<_, _>>()?,
            turns: script::turns(&self.steps, self.format)?,
        };
        let mut entries: Vec<Entry<'_>> = match self.format {
            Format::OpenAiChat => openai_chat::entries(&draft),
            Format::OpenAiResponses => openai_responses::entries(&draft),
            Format::Anthropic => anthropic::entries(&draft),
            Format::Gemini => gemini::entries(&draft),
        };
        for (key, value) in &self.settings {
            let step = || format!("set({key:?})");
            if entries.iter().any(|(known, _)| known == key) {
                return Err(unbuildable(step(), "the request has that key already"));
            }
            let value = value.clone().map_err(|problem| unbuildable(step(), problem))?;
            entries.push((key, value));
        }
        Request::read_as(object(&entries), self.format)
    }
}

impl Tool {
    fn spelled(&self) -> Result<ToolJson<'_>, Error> {
        let step = || format!("tool({:?})", self.name);
        let parameters = an_object(&self.parameters, "its parameters", step)?;
        Ok(ToolJson {
            name: quoted(&self.name),
            description: quoted(&self.description),
            parameters,
        })
    }
}

/// A value that must be an object.
fn an_object<'a>(json: &'a Json, what: &str, step: impl Fn() -> String) -> Result<&'a str, Error> {
    match json {
        Ok(json) if json.starts_with('{') => Ok(json),
        Ok(json) => {
            let shown: String = json.chars().take(40).collect();
            let problem = format!("{what} are {shown}, which is no object; give a map or a struct");
            Err(unbuildable(step(), problem))
        }
        Err(problem) => Err(unbuildable(step(), format!("{what} have no JSON form: {problem}"))),
    }
}

fn unbuildable(step: String, problem: impl Into<String>) -> Error {
    Error::Unbuildable { step, problem: problem.into() }
}
