import FreshStore

/// A local write of the model.
struct ModelEntry: Hashable {
  struct Holder: Hashable {
    var fence: Int
    var boot: Int64
    var deadline: Int64
  }

  /// The version on which it is based, where that is not what the source is known to hold.
  struct Basis: Hashable {
    /// `nil` for an object that does not exist.
    var value: Int?
    /// True when the write was parked with what it has met.
    var hasMetAnother = false
  }

  let id: Int64
  var kind: OutboxEntry.Kind
  var value: Int?
  var basis: Basis?
  var priority = 0
  /// The entry before which this one is not sent.
  var after: Int64?
  /// The numbers of those whose place it has taken after a conflict.
  var merged: Set<Int64> = []
  /// Changes with the content: what was sent under another is another write.
  var revision = 0
  var attempts = 0
  /// Those since somebody has asked for it to be sent.
  var tries = 0
  /// The number under which it was first sent.
  var asked: Int?
  /// The time of that, on the wall clock.
  var askedAt: Int64?
  var conflicts = 0
  var isParked = false
  var pausedUntil: Int64?
  /// The moment since which it is due, on the wall clock.
  var dueAt: Int64
  var holder: Holder?

  /// True when no process can have sent it.
  var isUntouched: Bool { attempts == 0 && asked == nil && holder == nil && !isParked }

  func isHeld(at now: ClockReading) -> Bool {
    holder.map { $0.boot == now.boot && $0.deadline > now.sinceBoot } ?? false
  }

  /// It waits until then, and goes behind those that are due by then.
  mutating func pause(until end: Int64) { (pausedUntil, dueAt) = (end, end) }

  /// True when this entry may take the place of the one before it.
  func mayReplace(_ last: ModelEntry) -> Bool {
    guard last.isUntouched, basis == nil else { return false }
    guard let after else { return true }
    return after < last.id && (last.after ?? after) == after
  }

  /// This entry in the place of the one before it: it keeps that one's basis, and goes as early.
  func inPlace(of last: ModelEntry) -> ModelEntry {
    var entry = ModelEntry(id: last.id, kind: kind, value: value, dueAt: last.dueAt)
    (entry.basis, entry.revision) = (last.basis, last.revision + 1)
    (entry.priority, entry.after) = (max(priority, last.priority), after ?? last.after)
    entry.merged = last.merged
    return entry
  }
}
