import FreshStore

/// A local write of the model.
struct ModelEntry: Hashable {
  struct Holder: Hashable {
    var fence: Int
    var boot: Int64
    var deadline: Int64
  }

  let id: Int64
  var kind: OutboxEntry.Kind
  var value: Int?
  /// What it was made from, where the source has changed that.
  var basis: Int??
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
}
