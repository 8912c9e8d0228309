/// How two values of one kind are to stand to each other.
public enum Relation: String, Sendable, Hashable, Codable, CaseIterable {
  /// The first is equal to the second.
  case equal = "=="
  /// The first is not equal to the second.
  case notEqual = "!="
  /// The first is less than the second.
  case less = "<"
  /// The first is at most the second.
  case lessOrEqual = "<="
  /// The first is greater than the second.
  case greater = ">"
  /// The first is at least the second.
  case greaterOrEqual = ">="

  /// True when they do. What cannot be compared, as NaN, is only ``notEqual``.
  public func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }

  /// The code of the issue of two fields that do not.
  var code: String {
    switch self {
    case .equal: "differs-from"
    case .notEqual: "same-as"
    case .less: "not-less-than"
    case .lessOrEqual: "more-than"
    case .greater: "not-more-than"
    case .greaterOrEqual: "less-than"
    }
  }
}
