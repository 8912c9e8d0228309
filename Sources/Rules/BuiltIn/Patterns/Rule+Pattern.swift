extension Rule where Value == String {
  /// Kept by a text that matches a pattern.
  ///
  /// Patterns are the regular expressions that can be checked without backtracking: characters,
  /// `.` (anything but a line break), sets `[a-z]` and `[^a-z]`, `\d` `\w` `\s` and their opposites,
  /// `\p{…}` and `\P{…}` with a general category of Unicode, groups, `|`, `*`, `+`, `?`, `{m,n}`,
  /// `^` and `$` (the ends of the text, not of a line), `\b` and `\B`, and the escapes of C,
  /// `\xHH` and `\uHHHH` or `\u{H}`. `\d` and `\w` are ASCII; `\s` is white space of every kind.
  /// There is no lookaround, no backreference and no set of sets: such a pattern, like any
  /// malformed one, is refused here and not when a value is checked.
  ///
  /// Cost of a check: at most the text's length times that of the pattern with its repetitions
  /// written out, which may be 2000 places; no crafted text takes longer. A text of more than
  /// `limit` bytes of UTF-8 is not examined: it breaks the rule with the issue `too-long-to-match`,
  /// also in the negative form.
  ///
  /// - Parameters:
  ///   - unit: The unit that counts as one character. In graphemes, ranges and classes other than
  ///     `.`, `\s` and `\p` take characters of one scalar alone.
  public static func matches(
    _ pattern: String, _ extent: PatternExtent, _ letters: LetterCase,
    by unit: PatternUnit = .graphemes, limit: Int = 65_536
  ) throws(PatternError) -> Rule {
    let compiled = try TextPattern(pattern, extent, letters, unit)
    let issue = Issue("no-match", parameters: ["pattern": .text(pattern)])
    return limited(limit, issue) { compiled.matches($0) }
  }

  /// Kept by a text that does not match a pattern; see ``matches(_:_:_:by:limit:)``.
  public static func doesNotMatch(
    _ pattern: String, _ extent: PatternExtent, _ letters: LetterCase,
    by unit: PatternUnit = .graphemes, limit: Int = 65_536
  ) throws(PatternError) -> Rule {
    let compiled = try TextPattern(pattern, extent, letters, unit)
    let issue = Issue("forbidden-match", parameters: ["pattern": .text(pattern)])
    return limited(limit, issue) { !compiled.matches($0) }
  }

  /// Kept by a text that matches a regular expression of Swift's own, with all its features and its
  /// own options for case and characters.
  ///
  /// Swift's engine backtracks: a pattern with nested repetitions, such as `(a+)+b`, takes time
  /// that doubles with each character of a crafted text, and cannot be stopped. So use it only with
  /// expressions known to be safe, and prefer ``matches(_:_:_:by:limit:)`` for all others. A text
  /// of more than `limit` bytes breaks the rule with the issue `too-long-to-match`. Checks by
  /// several threads wait for one another.
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

  /// Kept by a text that does not match a regular expression of Swift's own; see
  /// ``matches(_:named:_:limit:)``.
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
