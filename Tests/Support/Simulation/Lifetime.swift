import Strategies

/// The lifetime of a record.
public enum Lifetime: String, Codable, CaseIterable, Sendable {
  case short, long, forever, none, unstated

  var expiry: Expiry {
    switch self {
    case .short: .after(.seconds(2))
    case .long: .after(.seconds(10))
    case .forever: .never
    case .none: .immediately
    case .unstated: .unstated
    }
  }
}
