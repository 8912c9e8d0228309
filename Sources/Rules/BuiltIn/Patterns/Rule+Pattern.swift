internal import Synchronization

extension Rule where Value == String {
  /// Accepts a text that matches a pattern.
  ///
  /// Patterns are the regular expressions that can be checked without backtracking. They have:
  ///
  /// - characters, `.` (any character except a line break), and sets `[a-z]` and `[^a-z]`;
  /// - `\d`, `\w`, `\s` and their opposites: `\d` and `\w` are ASCII, `\s` is white space of every kind;
  /// - `\p{…}` and `\P{…}` with a general category of Unicode;
  /// - groups, `|`, `*`, `+`, `?` and `{m,n}`;
  /// - `^` and `$` (the ends of the text, not of a line), `\b` and `\B`;
  /// - the escapes of C, `\xHH`, and `\uHHHH` or `\u{H}`.
  ///
  /// There is no lookaround, no backreference and no set of sets. Such a pattern, like any malformed pattern, is
  /// refused here and not when a value is checked.
  ///
  /// Cost of a check: at most the text's length times the length of the pattern with its repetitions written out.
  /// That is at most 2000 places, so no crafted text takes longer. A text of more than `limit` bytes of UTF-8 is
  /// not examined: it breaks the rule with the issue `too-long-to-match`, also in the negative form.
  ///
  /// - Parameters:
  ///   - unit: The unit that counts as one character. In graphemes, ranges and classes other than `.`, `\s` and
  ///     `\p` take only characters of one scalar.
  public static func matches(
    _ pattern: String, _ extent: PatternExtent, _ letters: LetterCase,
    by unit: PatternUnit = .graphemes, limit: Int = 65_536
  ) throws(PatternError) -> Rule {
    let compiled = try TextPattern(pattern, extent, letters, unit)
    let issue = Issue("no-match", parameters: ["pattern": .text(pattern)])
    return limited(limit, issue) { compiled.matches($0) }
  }

  /// Accepts a text that does not match a pattern; see ``matches(_:_:_:by:limit:)``.
  public static func doesNotMatch(
    _ pattern: String, _ extent: PatternExtent, _ letters: LetterCase,
    by unit: PatternUnit = .graphemes, limit: Int = 65_536
  ) throws(PatternError) -> Rule {
    let compiled = try TextPattern(pattern, extent, letters, unit)
    let issue = Issue("forbidden-match", parameters: ["pattern": .text(pattern)])
    return limited(limit, issue) { !compiled.matches($0) }
  }

  /// Accepts a text that matches a regular expression of Swift's own, with all features and the expression's own
  /// options for case and characters.
  ///
  /// Swift's engine backtracks. A pattern with nested repetitions, such as `(a+)+b`, takes time that doubles with
  /// each character of a crafted text, and cannot be stopped. So use this rule only with expressions known to be
  /// safe, and prefer ``matches(_:_:_:by:limit:)`` for all others. A text of more than `limit` bytes breaks the
  /// rule with the issue `too-long-to-match`. Checks by several threads wait for one another.
  ///
  /// - Parameter name: The pattern's name in the issue.
  public static func matches<Output>(
    _ regex: sending Regex<Output>, named name: String, _ extent: PatternExtent,
    limit: Int = 1024
  ) -> Rule {
    let box = RegexBox(regex)
    let issue = Issue("no-match", parameters: ["pattern": .text(name)])
    return limited(limit, issue) { box.matches($0, extent) }
  }

  /// Accepts a text that does not match a regular expression of Swift's own; see ``matches(_:named:_:limit:)``.
  public static func doesNotMatch<Output>(
    _ regex: sending Regex<Output>, named name: String, _ extent: PatternExtent,
    limit: Int = 1024
  ) -> Rule {
    let box = RegexBox(regex)
    let issue = Issue("forbidden-match", parameters: ["pattern": .text(name)])
    return limited(limit, issue) { !box.matches($0, extent) }
  }

  private static func limited(
    _ limit: Int, _ issue: Issue, _ isKept: @escaping @Sendable (String) -> Bool
  ) -> Rule {
    let tooLong = Issue("too-long-to-match", parameters: ["max": .integer(limit)])
    return Rule { text, findings in
      guard text.utf8.count <= limit else { return findings.fail(tooLong) }
      return isKept(text) ? .passed : findings.fail(issue)
    }
  }
}

/// The unit that a pattern takes as one character.
public enum PatternUnit: String, Sendable, Hashable, Codable, CaseIterable {
  /// A grapheme cluster: `.` takes a whole family emoji and CR LF is one line break.
  case graphemes
  /// One Unicode scalar.
  case scalars
}

/// The part of a text that a pattern has to match.
public enum PatternExtent: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole text.
  case whole
  /// Any part of the text.
  case search
  /// The beginning of the text.
  case prefix
}

/// Whether a pattern distinguishes upper and lower case.
public enum LetterCase: String, Sendable, Hashable, Codable, CaseIterable {
  /// It distinguishes them.
  case sensitive
  /// It does not distinguish them, by Unicode's mapping to lower case.
  case insensitive
}

/// The error of a malformed pattern. Thrown when a rule is made, never when a value is checked.
public struct PatternError: Error, Sendable, Hashable {
  /// The pattern.
  public let pattern: String
  /// The number of well-formed characters at the start.
  public let offset: Int
  /// The fault in the rest.
  public let reason: String
}

extension PatternError: CustomStringConvertible {
  /// The reason and its position.
  public var description: String { "pattern, character \(offset + 1): \(reason)" }
}

/// A compiled pattern, checked when it is made.
struct TextPattern: Sendable {
  private let program: PatternProgram
  private let extent: PatternExtent
  private let letters: LetterCase
  private let unit: PatternUnit

  init(
    _ pattern: String, _ extent: PatternExtent, _ letters: LetterCase, _ unit: PatternUnit
  ) throws(PatternError) {
    program = try PatternProgram(pattern, by: unit)
    self.extent = extent
    self.letters = letters
    self.unit = unit
  }

  func matches(_ text: String) -> Bool {
    var machine = PatternMachine(program, extent, letters)
    return switch unit {
    case .graphemes: machine.matches(text)
    case .scalars: machine.matches(text.unicodeScalars.lazy.map(Character.init))
    }
  }
}

/// A regular expression of Swift's own. It is not sendable, so one thread at a time uses it.
final class RegexBox<Output>: Sendable {
  private let regex: Mutex<Regex<Output>>

  init(_ regex: sending Regex<Output>) {
    self.regex = Mutex(regex)
  }

  /// True when there is a match; an error of a custom component means that it rejects the text.
  func matches(_ text: String, _ extent: PatternExtent) -> Bool {
    let isMatched = try? regex.withLock { regex in
      switch extent {
      case .whole: try regex.wholeMatch(in: text) != nil
      case .search: try regex.firstMatch(in: text) != nil
      case .prefix: try regex.prefixMatch(in: text) != nil
      }
    }
    return isMatched ?? false
  }
}
