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
  }

  let id: Int64
  var kind: OutboxEntry.Kind
  var value: Int?
  var basis: Basis?
  var attempts = 0
  /// The number under which it was first sent.
  var asked: Int?
  /// The time of that, on the wall clock.
  var askedAt: Int64?
  var conflicts = 0
  var isParked = false
  var pausedUntil: Int64?
  var holder: Holder?

  /// True when no process can have sent it.
  var isUntouched: Bool { attempts == 0 && holder == nil && !isParked }

  func isHeld(at now: ClockReading) -> Bool {
    holder.map { $0.boot == now.boot && $0.deadline > now.sinceBoot } ?? false
  }

  /// This entry in the place of the one before it, which was never sent: it keeps that one's basis.
  func inPlace(of last: ModelEntry) -> ModelEntry {
    var entry = ModelEntry(id: last.id, kind: kind, value: value)
    entry.basis = last.basis
    return entry
  }
}
