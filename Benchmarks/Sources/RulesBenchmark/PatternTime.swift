internal import BenchmarkKit
internal import Foundation
internal import Rules

/// The growth of a match's time with a text crafted for a pattern that takes others for ever.
enum PatternTime {
  private static let pattern = "(a+)+$"

  static func measure(isQuick: Bool) throws -> Section {
    let bound = Duration.milliseconds(isQuick ? 20 : 1_000)
    var section = Section(
      "The pattern \(pattern) on a text of so many a and one b",
      columns: ["matcher", "bytes", "time µs", "ns a byte"])
    let rule = try Rule.matches(pattern, .whole, .sensitive, limit: .max)
    let search = try Rule.matches(pattern, .search, .sensitive, limit: .max)
    let sizes = isQuick ? [1_000] : [16, 24, 1_000, 10_000, 100_000, 1_000_000]
    add("Rule.matches, whole", sizes, bound, to: &section) { rule.isKept(by: $0) }
    add("Rule.matches, search", sizes, bound, to: &section) { search.isKept(by: $0) }
    let regex = try Regex(pattern)
    // The error of a custom component, of which there is none, would be no match.
    add("Swift Regex, whole", Array(8...40), bound, to: &section) {
      (try? regex.wholeMatch(in: $0)) != nil
    }
    let expression = try NSRegularExpression(pattern: pattern)
    add("NSRegularExpression, search", Array(8...40), bound, to: &section) { text in
      let range = NSRange(location: 0, length: text.utf16.count)
      return expression.firstMatch(in: text, range: range) != nil
    }
    section.add(
      note: "a matcher's row is the median of 5; the first text that takes longer than "
        + "\(bound.milliseconds.figures) ms is its last")
    return section
  }

  /// Adds a row for each length, until one takes longer than the bound; of consecutive lengths,
  /// those divisible by four and the last.
  private static func add(
    _ name: String, _ lengths: [Int], _ bound: Duration, to section: inout Section,
    _ matches: (String) -> Bool
  ) {
    for (index, length) in lengths.enumerated() {
      let text = String(repeating: "a", count: length - 1) + "b"
      let times = Samples(
        (0..<5).map { _ in
          let start = ContinuousClock.now
          let isMatch = matches(text)
          let end = ContinuousClock.now
          precondition(!isMatch, "the text does not match")
          return (end - start).nanoseconds
        })
      let isLast = times.median > bound.nanoseconds || index == lengths.count - 1
      if length.isMultiple(of: 4) || isLast {
        let perByte = times.median / Double(length)
        section.add(row: [
          name, "\(length)", (times.median / 1_000).figures, perByte.figures,
        ])
        section.add(Figure("\(name), \(length) bytes", perByte, "ns a byte"))
      }
      if times.median > bound.nanoseconds { return }
    }
  }
}
