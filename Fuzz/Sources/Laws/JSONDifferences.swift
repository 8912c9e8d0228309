import Foundation

@testable import Rules

/// The known differences of Foundation's `JSONSerialization` from RFC 8259, or from the choices
/// that the RFC leaves.
enum JSONDifferences {
  /// It accepts a byte order mark, drops one from the beginning of a string, and accepts UTF-16 and
  /// UTF-32, which it detects by the zeros among the first four bytes.
  static func inBytes(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(4).contains(0) || bytes.contains([0xEF, 0xBB, 0xBF])
      || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
  }

  /// It refuses numbers that do not fit a `Double`.
  static func inValue(_ value: JSONValue) -> Bool {
    switch value {
    case .number(let number): number.double == nil
    case .array(let items): items.contains(where: inValue)
    case .object(let object): object.members.contains { inValue($0.value) }
    default: false
    }
  }

  /// It has no limit on exponents, accepts duplicate names, and a trailing comma.
  static func inError(_ error: JSONSyntaxError) -> Bool {
    switch error.problem {
    case .malformedNumber(let reason): reason.contains("exponent is beyond")
    case .duplicateName: true
    case .unexpected(found: "']'", let expected): expected.hasPrefix("a value")
    case .unexpected(found: "'}'", let expected): expected.hasPrefix("a name")
    default: false
    }
  }

  /// True when both hold the same; the reference rounds long numbers on the way to a `Double`.
  static func agree(_ value: JSONValue, _ other: Any) -> Bool {
    switch value {
    case .null: return other is NSNull
    case .boolean(let truth): return other as? Bool == truth
    case .number(let number):
      guard let double = number.double, let other = other as? NSNumber else { return false }
      return abs(double - other.doubleValue) <= abs(double) * 1e-14
    case .string(let text): return other as? String == text
    case .array(let items):
      guard let others = other as? [Any], others.count == items.count else { return false }
      return zip(items, others).allSatisfy(agree)
    case .object(let object):
      guard let others = other as? [String: Any], others.count == object.count else { return false }
      return object.members.allSatisfy { member in
        others[member.name].map { agree(member.value, $0) } ?? false
      }
    }
  }
}
