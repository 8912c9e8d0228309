internal import FreshStore
internal import Strategies

/// The limit of a run that does the work due at its start, and no more.
struct Cutoff {
  let moment: Timestamp
  /// Later writes are left for another time, as is one that a conflict creates.
  let lastWrite: OutboxEntry.ID
}
