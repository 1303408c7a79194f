//! Work on all cores.

use std::num::NonZero;
use std::thread;

/// How many threads are worth having.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// `work` on every element, in order, shared among the cores.
pub(crate) fn map<T: Sync, R: Send>(elements: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let share = elements.len().div_ceil(cores()).max(1);
    if elements.len() <= share {
        return elements.iter().map(work).collect();
    }
    thread::scope(|scope| {
        let work = &work;
        let shares = elements.chunks(share);
        let threads: Vec<_> = shares
            .map(|share| scope.spawn(move || share.iter().map(work).collect::<Vec<_>>()))
            .collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results
            .flat_map(|result| result.unwrap_or_else(|it| std::panic::resume_unwind(it)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_the_elements() {
        let numbers: Vec<usize> = (0..1000).collect();
        assert_eq!(
            super::map(&numbers, |number| number * 2),
            numbers.iter().map(|it| it * 2).collect::<Vec<_>>()
        );
        assert!(super::map(&[] as &[u8], |it| *it).is_empty());
    }
}
