/// How far a network that has returned may be used at one moment.
enum Settling: Hashable {
  /// Without limit.
  case done
  /// Not yet: it has to hold for so long first.
  case waiting(Duration)
  /// By one new attempt at a time for each source, for so long: it comes and goes.
  case cautious(Duration)

  /// The time until that changes; `nil` when it does not.
  var rest: Duration? {
    switch self {
    case .done: nil
    case .waiting(let rest), .cautious(let rest): rest
    }
  }
}
