//! Which messages must stay?

use crate::grammar::Draft;
use crate::grammar::shape::Shape;
use crate::model::{Message, PartKind, Role};
use crate::{CurrentTurn, Options, Pin};

/// Why each message must stay, if it must.
pub(crate) fn pins(drafts: &[Draft<'_>], shape: &Shape, options: &Options) -> Vec<Option<Pin>> {
    let patterns: Vec<String> = options.pins.iter().map(|pattern| pattern.to_lowercase()).collect();
    let turns = Turns::of(shape, options);
    let own = |(at, draft): (usize, &Draft<'_>)| {
        let message = &draft.message;
        if message.role == Role::System {
            Some(Pin::System)
        } else if message.hints.pinned {
            Some(Pin::Hint)
        } else if message.has(&PartKind::Summary) {
            Some(Pin::Summary)
        } else if says_any(message, &patterns) {
            Some(Pin::Pattern)
        } else {
            turns.pin(at, shape, message)
        }
    };
    let mut pins: Vec<Option<Pin>> = drafts.iter().enumerate().map(own).collect();
    pin_together(&mut pins, shape);
    pins
}

/// Whoever stays takes along what must stay with it.
fn pin_together(pins: &mut [Option<Pin>], shape: &Shape) {
    let mut stays = vec![false; pins.len()];
    for at in 0..pins.len() {
        if pins[at].is_some() {
            stays[shape.group[at]] = true;
            if let Some(needed) = shape.needs[at] {
                stays[needed] = true;
            }
        }
    }
    for at in 0..pins.len() {
        if stays[shape.group[at]] && pins[at].is_none() {
            pins[at] = Some(Pin::Together);
        }
    }
}

fn says_any(message: &Message, patterns: &[String]) -> bool {
    !patterns.is_empty() && {
        let words = message.words().to_lowercase();
        patterns.iter().any(|pattern| words.contains(pattern))
    }
}

/// Which turns stay.
struct Turns {
    current: usize,
    last_unit: usize,
    first: std::ops::RangeInclusive<usize>,
    last: usize,
    whole: bool,
}

impl Turns {
    fn of(shape: &Shape, options: &Options) -> Self {
        let current = shape.turn.last().copied().unwrap_or(0);
        Self {
            current,
            last_unit: shape.unit.last().copied().unwrap_or(0),
            first: 1..=options.keep_first,
            last: (current + 1).saturating_sub(options.keep_last),
            whole: options.current_turn == CurrentTurn::Whole,
        }
    }

    fn pin(&self, at: usize, shape: &Shape, message: &Message) -> Option<Pin> {
        let turn = shape.turn[at];
        if turn == self.current {
            let over = shape.unit[at] != self.last_unit && shape.rounds[shape.unit[at]];
            let stays = self.whole || !over || message.role == Role::User;
            stays.then_some(Pin::CurrentTurn)
        } else if self.first.contains(&turn) {
            Some(Pin::First)
        } else if turn >= self.last {
            Some(Pin::Last)
        } else {
            None
        }
    }
}
