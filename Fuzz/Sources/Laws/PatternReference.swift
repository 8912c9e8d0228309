import Foundation

@testable import Rules

/// Foundation's regular expressions, where they mean the same.
enum PatternReference {
  /// The answer of the reference; `nil` where it means something else, refuses the pattern, or
  /// might take too long.
  static func wholeMatch(_ pattern: String, _ subject: String, _ unit: PatternUnit) -> Bool? {
    guard pattern.utf8.count <= 40, subject.utf8.count <= 16, isPlain(subject), isPlain(pattern),
      !pattern.contains("\\0")
    else { return nil }
    do {
      guard !repeatsNothing(try PatternParser.parse(pattern, by: unit)) else { return nil }
      let expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
      let range = NSRange(location: 0, length: subject.utf16.count)
      return expression.firstMatch(in: subject, range: range) != nil
    } catch {
      return nil
    }
  }

  /// True for printable ASCII: the reference has classes of all of Unicode, other line breaks, and
  /// a dollar that matches before the last of them.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
  }

  /// True when a part that may be empty is repeated: the reference leaves such a loop at a turn
  /// that takes nothing.
  private static func repeatsNothing(_ node: PatternNode) -> Bool {
    switch node {
    case .one, .place: false
    case .sequence(let nodes), .either(let nodes): nodes.contains(where: repeatsNothing)
    case .times(let node, _, _): mayBeEmpty(node) || repeatsNothing(node)
    }
  }

  private static func mayBeEmpty(_ node: PatternNode) -> Bool {
    switch node {
    case .one: false
    case .place: true
    case .sequence(let nodes): nodes.allSatisfy(mayBeEmpty)
    case .either(let nodes): nodes.contains(where: mayBeEmpty)
    case .times(let node, let least, _): least == 0 || mayBeEmpty(node)
    }
  }
}
