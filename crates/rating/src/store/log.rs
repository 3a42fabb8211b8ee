//! [`Log`]: what happened in a store, in order of time, packed: some 12 bytes a duel, some 60 a game of five against five.

use std::collections::VecDeque;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::EventNumber;

/// What can happen in a store. Players are numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Happened<N> {
    Game(N),
    /// A player's rating was set; the store has it by the event's number.
    Rated(u32),
    /// A player's rating became a newcomer's.
    Reset(u32),
}

/// An event with its number and its time, Unix seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Event<N> {
    pub(super) number: EventNumber,
    pub(super) time: i64,
    pub(super) what: Happened<N>,
}

/// Events in order of time, in blocks.
#[derive(Clone, Debug)]
pub(super) struct Log<N> {
    blocks: VecDeque<Block>,
    len: usize,
    of: PhantomData<N>,
}

/// Number and time of an event; the next is told by what it differs in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Stamp {
    number: EventNumber,
    time: i64,
}

/// Some events in a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Block {
    bytes: Vec<u8>,
    /// Where the first event begins.
    from: usize,
    len: usize,
    /// What the first event is told by.
    before: Stamp,
    last: Stamp,
    /// No number is smaller, and none greater.
    range: (EventNumber, EventNumber),
}

/// The most events of a block: what is decoded to find one.
const BLOCK: usize = 512;
/// Bytes of events that are gone are dropped when there are more of them.
const SPENT: usize = 4096;

impl Stamp {
    /// What leads to `next`. The sums wrap, so that any two stamps have a difference.
    const fn steps(self, next: Self) -> (i64, i64) {
        (
            next.number.wrapping_sub(self.number).cast_signed(),
            next.time.wrapping_sub(self.time),
        )
    }

    const fn after(self, (number, time): (i64, i64)) -> Self {
        Self {
            number: self.number.wrapping_add(number.cast_unsigned()),
            time: self.time.wrapping_add(time),
        }
    }
}

impl Block {
    fn push<N: Serialize>(&mut self, event: &Event<N>) -> Result<usize, postcard::Error> {
        let stamp = Stamp {
            number: event.number,
            time: event.time,
        };
        let packed = postcard::to_stdvec(&(self.last.steps(stamp), &event.what))?;
        self.bytes.extend_from_slice(&packed);
        let (least, greatest) = match self.len {
            0 => (event.number, event.number),
            _ => self.range,
        };
        self.range = (least.min(event.number), greatest.max(event.number));
        self.len += 1;
        self.last = stamp;
        Ok(packed.len())
    }

    /// Whether one of its events may have this number.
    fn has_number(&self, number: EventNumber) -> bool {
        (self.range.0..=self.range.1).contains(&number)
    }

    const fn events<N>(&self) -> Events<'_, N> {
        Events {
            block: self,
            at: self.from,
            left: self.len,
            before: self.before,
            of: PhantomData,
        }
    }

    /// Takes the first events out.
    fn cut<N: DeserializeOwned>(&mut self, events: usize) {
        let mut rest = self.events::<N>();
        rest.by_ref().take(events).for_each(drop);
        (self.from, self.len, self.before) = (rest.at, rest.left, rest.before);
        if self.from > SPENT && self.from > self.bytes.len() / 2 {
            self.bytes.drain(..self.from);
            self.from = 0;
        }
    }

    /// Whether it has as many events as it says, and ends where they do.
    fn is_whole<N: DeserializeOwned>(&self) -> bool {
        let mut events = self.events::<N>();
        let has = |event: Event<N>| self.has_number(event.number);
        events.by_ref().all(has)
            && events.left == 0
            && events.at == self.bytes.len()
            && events.before == self.last
    }
}

/// The events of a block.
struct Events<'a, N> {
    block: &'a Block,
    at: usize,
    left: usize,
    before: Stamp,
    of: PhantomData<N>,
}

impl<N: DeserializeOwned> Iterator for Events<'_, N> {
    type Item = Event<N>;

    fn next(&mut self) -> Option<Event<N>> {
        if self.left == 0 {
            return None;
        }
        let bytes = self.block.bytes.get(self.at..)?;
        let ((steps, what), rest) = postcard::take_from_bytes(bytes).ok()?;
        self.at = self.block.bytes.len() - rest.len();
        self.left -= 1;
        self.before = self.before.after(steps);
        Some(Event {
            number: self.before.number,
            time: self.before.time,
            what,
        })
    }
}

impl<N> Default for Log<N> {
    fn default() -> Self {
        Self {
            blocks: VecDeque::new(),
            len: 0,
            of: PhantomData,
        }
    }
}

impl<N: Serialize + DeserializeOwned> Log<N> {
    /// What was [saved](Self::blocks); none if no log can have saved it.
    pub(super) fn of_blocks(blocks: Vec<Block>) -> Option<Self> {
        let is_whole = blocks.iter().all(|block| block.len > 0 && block.is_whole::<N>());
        is_whole.then(|| Self {
            len: blocks.iter().map(|block| block.len).sum(),
            blocks: blocks.into(),
            of: PhantomData,
        })
    }

    pub(super) fn blocks(&self) -> impl ExactSizeIterator<Item = &Block> {
        self.blocks.iter()
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn first_time(&self) -> Option<i64> {
        self.iter().next().map(|event| event.time)
    }

    pub(super) fn last_time(&self) -> Option<i64> {
        self.blocks.back().map(|block| block.last.time)
    }

    /// Adds the latest event, and tells how many bytes that takes.
    pub(super) fn push(&mut self, event: &Event<N>) -> Result<usize, postcard::Error> {
        let bytes = match self.blocks.back_mut() {
            Some(block) if block.len < BLOCK => block.push(event),
            last => {
                if let Some(full) = last {
                    full.bytes.shrink_to_fit();
                }
                let mut block = Block::default();
                let bytes = block.push(event);
                self.blocks.push_back(block);
                bytes
            }
        };
        if bytes.is_ok() {
            self.len += 1;
        } else if self.blocks.back().is_some_and(|block| block.len == 0) {
            self.blocks.pop_back();
        }
        bytes
    }

    /// Takes the oldest event out.
    pub(super) fn pop_front(&mut self) -> Option<Event<N>> {
        let block = self.blocks.front_mut()?;
        let event = block.events().next()?;
        block.cut::<N>(1);
        if block.len == 0 {
            self.blocks.pop_front();
        }
        self.len -= 1;
        Some(event)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Event<N>> {
        self.blocks.iter().flat_map(Block::events)
    }

    /// How many events were before `time`.
    pub(super) fn before(&self, time: i64) -> usize {
        let blocks = self.blocks.partition_point(|block| block.last.time < time);
        let earlier: usize = self.blocks.range(..blocks).map(|block| block.len).sum();
        let within = self.blocks.get(blocks).map_or(0, |block| {
            let events = block.events::<N>();
            events.take_while(|event| event.time < time).count()
        });
        earlier + within
    }

    /// How many events were before the one with this number.
    pub(super) fn position(&self, number: EventNumber) -> Option<usize> {
        let mut later = 0;
        for block in self.blocks.iter().rev() {
            later += block.len;
            if block.has_number(number) {
                let within = block.events::<N>().position(|event| event.number == number);
                if let Some(within) = within {
                    return Some(self.len - later + within);
                }
            }
        }
        None
    }

    /// Takes the events from `position` on out.
    pub(super) fn split_off(&mut self, position: usize) -> Self {
        let (mut block, mut within) = (0, position);
        while let Some(events) = self.blocks.get(block).map(|block| block.len)
            && events <= within
        {
            (block, within) = (block + 1, within - events);
        }
        let mut blocks = self.blocks.split_off(block);
        if let Some(cut) = blocks.front_mut().filter(|_| within > 0) {
            let whole = cut.clone();
            cut.cut::<N>(within);
            let mut early = whole;
            early.bytes.truncate(cut.from);
            (early.len, early.last) = (within, cut.before);
            self.blocks.push_back(early);
        }
        let len = blocks.iter().map(|block| block.len).sum();
        self.len -= len;
        Self {
            blocks,
            len,
            of: PhantomData,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: u64) -> Event<u32> {
        let player = u32::try_from(number).unwrap();
        let what = match number % 3 {
            0 => Happened::Game(player * 7),
            1 => Happened::Rated(player),
            _ => Happened::Reset(5),
        };
        // Some inserted late have a greater number than those after them.
        Event {
            number: number ^ 1,
            time: i64::try_from(number / 4).unwrap() * 1000 - 300_000,
            what,
        }
    }

    #[test]
    fn a_log_is_a_list_of_its_events() {
        let list: Vec<Event<u32>> = (0..2000).map(event).collect();
        let mut log = Log::default();
        for event in &list {
            log.push(event).unwrap();
        }
        assert_eq!((log.len(), log.iter().collect::<Vec<_>>()), (2000, list.clone()));
        for position in [0, 1, 511, 512, 513, 1024, 1999] {
            assert_eq!(log.position(list[position].number), Some(position));
            let time = list[position].time;
            let before = list.partition_point(|event| event.time < time);
            assert_eq!(log.before(time), before);
            let mut early = log.clone();
            let late = early.split_off(position);
            assert_eq!((early.len(), late.len()), (position, 2000 - position));
            assert!(early.iter().eq(list[..position].iter().cloned()));
            assert!(late.iter().eq(list[position..].iter().cloned()));
            // Both go on.
            early.push(&list[position]).unwrap();
            assert_eq!(early.iter().last().as_ref(), Some(&list[position]));
            let again = Log::<u32>::of_blocks(late.blocks().cloned().collect()).unwrap();
            assert!(again.iter().eq(late.iter()));
        }
        assert_eq!((log.position(2000), log.before(i64::MAX)), (None, 2000));
        for expected in &list[..600] {
            assert_eq!(log.pop_front().as_ref(), Some(expected));
        }
        assert!(log.iter().eq(list[600..].iter().cloned()));
        assert_eq!(log.first_time(), Some(list[600].time));
    }

    #[test]
    fn no_log_is_made_of_blocks_that_say_they_are_endless() {
        let endless = Block {
            len: usize::MAX,
            ..Block::default()
        };
        assert!(Log::<u32>::of_blocks(vec![endless.clone(), endless]).is_none());
    }

    #[test]
    fn times_and_numbers_of_any_size_have_a_difference() {
        let mut log = Log::default();
        let ends = [
            (i64::MIN, 0),
            (-1, u64::MAX),
            (0, 1),
            (i64::MAX, u64::MAX / 2 + 1),
        ];
        for (time, number) in ends {
            let what = Happened::Game(0_u32);
            log.push(&Event { number, time, what }).unwrap();
        }
        let read = log.iter().map(|event| (event.time, event.number));
        assert_eq!(read.collect::<Vec<_>>(), ends);
    }
}
