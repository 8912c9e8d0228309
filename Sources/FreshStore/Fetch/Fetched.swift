/// The result of a fetch.
public enum Fetched<Value: Sendable>: Sendable {
  /// The source's current value.
  case value(Value, FetchDetails)
  /// The copy still equals the source: its stamps are renewed, its bytes are kept. Without a copy
  /// this is a failed fetch.
  case notModified(FetchDetails)
  /// The source says the object does not exist: remembered, with its own expiry.
  case gone(FetchDetails)

  /// A value without further details.
  public static func value(_ value: Value) -> Fetched { .value(value, FetchDetails()) }
  /// Not modified, without further details.
  public static var notModified: Fetched { .notModified(FetchDetails()) }
  /// Gone, without further details.
  public static var gone: Fetched { .gone(FetchDetails()) }

  /// The same with transformed values, such as their decoded form.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Fetched<Other> {
    switch self {
    case .value(let value, let details): .value(try transform(value), details)
    case .notModified(let details): .notModified(details)
    case .gone(let details): .gone(details)
    }
  }
}

extension Fetched: Equatable where Value: Equatable {}
