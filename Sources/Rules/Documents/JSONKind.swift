/// The kinds of JSON values.
public enum JSONKind: String, Sendable, Hashable, Codable, CaseIterable {
  case null
  case boolean
  case integer
  case number
  case string
  case array
  case object

  /// True when a value of that kind is one of this, too: an integer is a number.
  public func includes(_ other: JSONKind) -> Bool {
    self == other || (self == .number && other == .integer)
  }
}
