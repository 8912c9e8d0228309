/// A relation between two values of one type.
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

  /// True when the relation holds. Unordered values, such as NaN, are only ``notEqual``.
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

  /// The code of the issue of two fields that violate the relation.
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
