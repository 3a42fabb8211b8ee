//! [`Pending`]: an answer that comes once it is on the device, for a thread that waits or a task that is woken.

use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::problem::Problem;

/// An answer that is on its way: [`wait`](Pending::wait) for it, or await it.
#[derive(Debug)]
#[must_use = "what was asked may be refused, and that is told here alone"]
pub struct Pending<T>(Arc<Slot<T>>);

#[derive(Debug)]
struct Slot<T> {
    state: Mutex<State<T>>,
    is_there: Condvar,
}

#[derive(Debug)]
struct State<T> {
    answer: Option<Result<T, Problem>>,
    waker: Option<Waker>,
    /// Nobody will answer any more.
    is_over: bool,
}

/// Who answers. If it is dropped without an answer, the service has stopped.
pub(crate) struct Reply<T>(Arc<Slot<T>>);

pub(crate) fn pending<T>() -> (Reply<T>, Pending<T>) {
    let slot = Arc::new(Slot {
        state: Mutex::new(State {
            answer: None,
            waker: None,
            is_over: false,
        }),
        is_there: Condvar::new(),
    });
    (Reply(Arc::clone(&slot)), Pending(slot))
}

fn stopped() -> Problem {
    Problem::Stopped("it was closed".to_owned())
}

impl<T> Reply<T> {
    pub(crate) fn send(self, answer: Result<T, Problem>) {
        self.end(Some(answer));
    }

    fn end(&self, answer: Option<Result<T, Problem>>) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.answer.is_none() {
            state.answer = answer;
        }
        state.is_over = true;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
        self.0.is_there.notify_all();
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        self.end(None);
    }
}

impl<T> Pending<T> {
    /// Waits for the answer.
    ///
    /// # Errors
    /// [`Problem`]: why it was not done.
    pub fn wait(self) -> Result<T, Problem> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.is_over {
            state = self
                .0
                .is_there
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.answer.take().unwrap_or_else(|| Err(stopped()))
    }
}

impl<T> Future for Pending<T> {
    type Output = Result<T, Problem>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_over {
            return Poll::Ready(state.answer.take().unwrap_or_else(|| Err(stopped())));
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}
