import FreshStore
import Strategies

/// A record of the model.
struct ModelRecord: Hashable {
  enum Kind: Hashable {
    case value, absent
    /// Never fetched with success.
    case unfetched
  }

  struct Mark: Hashable {
    /// Its place in the order of invalidations; 0 for one that only repeats a verdict.
    var number: Int
    var at: Int64
  }

  var kind: Kind
  var value: Int?
  var lastUpdate: Int64
  var boot: Int64
  var bootStamp: Int64
  var lifetime: Lifetime
  /// Invalidations with a higher number cover it.
  var epoch: Int
  /// Changes whenever it is written or marked.
  var stamp: Int
  var mark: Mark?
  /// The value of a local write that the source has accepted as this one.
  var madeOf: Int?
  var isTagged = false
  var failures = 0
  var nextAttempt: Int64?
  var isPending = false

  /// Distinguishes a record from one that was stored in its place.
  struct Edition: Hashable {
    let epoch: Int
    let kind: Kind
    let value: Int?
  }

  var edition: Edition { Edition(epoch: epoch, kind: kind, value: value) }

  /// The known failures of its fetches.
  struct Failures: Hashable {
    let count: Int
    let nextAttempt: Int64?
  }

  /// The value of the accepted write, if another answer of the source brings this record's value
  /// again.
  func madeOf(ifStill value: Int?) -> Int? { kind == .value && self.value == value ? madeOf : nil }

  var failed: Failures { Failures(count: failures, nextAttempt: nextAttempt) }

  /// The last update on today's wall clock: within one boot no step of the wall clock changes an age.
  func lastUpdate(at now: ClockReading) -> Int64 {
    guard boot == now.boot else { return lastUpdate }
    return now.wall.millisecondsSinceEpoch + bootStamp - now.sinceBoot
  }

  func isInTime(_ age: Int64) -> Bool {
    switch lifetime {
    case .unstated: true
    case .forever: age >= -Setting.allowedSkew.milliseconds
    case .none: false
    case .short, .long:
      age >= -Setting.allowedSkew.milliseconds && age < (lifetime.milliseconds ?? 0)
    }
  }
}

extension Lifetime {
  /// `nil` when it has no end.
  var milliseconds: Int64? {
    switch self {
    case .short: 2000
    case .long: 10_000
    case .none: 0
    case .forever, .unstated: nil
    }
  }
}
