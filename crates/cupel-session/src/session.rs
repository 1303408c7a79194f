//! A session: a policy, a budget, and what is remembered.

use cupel::Policy;
use cupel_messages::{CurrentTurn, Granularity, Options, Shorten};

use crate::{Error, Price, Settings, State};

/// A conversation over many turns: the same beginning every time, cuts that are rare and deep.
///
/// ```
/// use cupel_messages::{Estimate, Request};
/// use cupel_session::{Action, Session, State};
///
/// let mut session = Session::new(1_000);
/// let mut request = Request::read(r#"{"model": "gpt-5", "messages": [{"role": "user", "content": "Is my bike ready?"}]}"#)?;
/// let first = session.next(&request, &Estimate)?;
/// request.push(r#"{"role": "assistant", "content": "Not yet: it waits for a chain."}"#)?;
/// request.push(r#"{"role": "user", "content": "When will it be?"}"#)?;
///
/// // A service without memory carries the state instead.
/// let carried = serde_json::to_string(session.state())?;
/// let mut session = Session::resume(1_000, State::read(&carried)?)?;
/// let second = session.next(&request, &Estimate)?;
/// assert_eq!(second.report.action, Action::Extended);
/// assert!(second.report.prefix.is_whole());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    pub(crate) budget: i64,
    pub(crate) options: Options,
    pub(crate) policy: Option<Policy>,
    pub(crate) context: cupel::RunContext,
    pub(crate) price: Option<Price>,
    pub(crate) model: Option<String>,
    pub(crate) state: State,
}

impl Session {
    /// A session that starts, within `budget` tokens for each request, at the default settings.
    pub fn new(budget: i64) -> Self {
        Self {
            budget,
            options: Self::default_options(),
            policy: None,
            context: cupel::RunContext::default(),
            price: None,
            model: None,
            state: State::default(),
        }
    }

    /// How requests are cut unless [`with_options`](Self::with_options) says otherwise: tool results have shorter forms from 250
    /// tokens on, since these are what old results are kept in at a cut. Tool rounds of the current turn that are over may go.
    pub fn default_options() -> Options {
        Options::new()
            .shorten(Shorten { over: 250, to: 100 })
            .current_turn(CurrentTurn::Rounds)
            .granularity(Granularity::Unit)
    }

    /// A session that goes on. The state brings its settings; budget, policy and options are the caller's, and may be
    /// others than before: what they change is a change of the window.
    ///
    /// # Errors
    /// When the state's settings make no sense.
    pub fn resume(budget: i64, state: State) -> Result<Self, Error> {
        state.settings().check()?;
        Ok(Self { state, ..Self::new(budget) })
    }

    /// When it cuts, how deep, and whether it sets breakpoints.
    ///
    /// # Errors
    /// When the settings make no sense.
    pub fn with_settings(mut self, settings: Settings) -> Result<Self, Error> {
        settings.check()?;
        self.state.settings = settings;
        Ok(self)
    }

    /// How requests are cut: pins, granularity, shorter forms.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = match &self.policy {
            Some(policy) => options.policy(policy.clone()),
            None => options,
        };
        self
    }

    /// How relevance is judged and a choice made, at a cut.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.options = self.options.policy(policy.clone());
        self.policy = Some(policy);
        self
    }

    /// What runs of the policy over items know beside them: the time, a query.
    #[must_use]
    pub fn in_context(mut self, context: cupel::RunContext) -> Self {
        self.context = context;
        self
    }

    /// The model that requests are for, where they do not say so.
    #[must_use]
    pub fn with_model(mut self, model: impl Into<String>) -> Self {
        let model = model.into();
        self.options = self.options.model(&model);
        self.model = Some(model);
        self
    }

    /// What tokens cost, in place of what the table says of the request's provider.
    #[must_use]
    pub fn with_price(mut self, price: Price) -> Self {
        self.price = Some(price);
        self
    }

    /// What is remembered: with it, [`resume`](Self::resume) goes on from here.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What is remembered, without the rest.
    pub fn into_state(self) -> State {
        self.state
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.state.settings
    }
}
