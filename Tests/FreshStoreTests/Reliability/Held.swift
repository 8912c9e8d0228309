import StoreSupport

@testable import FreshStore

/// The contents of a store under a key.
enum Held: Hashable {
  case missing
  case value(String, isStale: Bool, isPending: Bool)

  /// The result of a read.
  init(_ reading: Reading<String>) {
    guard let copy = reading.copy else {
      self = .missing
      return
    }
    self = .value(
      copy.value, isStale: reading.decision.outcome == .stale,
      isPending: reading.decision.cause == .pendingWrite)
  }

  /// After a mark.
  var marked: Held {
    guard case .value(let value, _, isPending: false) = self else { return self }
    return .value(value, isStale: true, isPending: false)
  }

  /// After its local write was pushed.
  var pushed: Held {
    guard case .value(let value, _, isPending: true) = self else { return self }
    return .value(value, isStale: false, isPending: false)
  }

  static func fresh(_ value: String) -> Held {
    .value(value, isStale: false, isPending: false)
  }
}
