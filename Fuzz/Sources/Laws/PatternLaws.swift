import Foundation

@testable import Rules

/// The laws that patterns keep for any pattern and any text to match.
struct PatternLaws {
  let pattern: String
  let subject: String
  let unit: PatternUnit

  /// The laws for a pattern, which is the first line, and a text, which is the rest.
  static func check(_ input: [UInt8]) {
    let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
    let pattern = String(decoding: input[..<end], as: UTF8.self)
    let subject = String(decoding: input[end...].dropFirst(), as: UTF8.self)
    for unit in PatternUnit.allCases {
      PatternLaws(pattern: pattern, subject: subject, unit: unit).check()
    }
  }

  private func check() {
    for letters in LetterCase.allCases {
      guard let whole = matches(pattern, .whole, letters) else {
        return law("a refusal does not depend on case", matches(pattern, .search, letters) == nil)
      }
      let prefix = matches(pattern, .prefix, letters)
      let search = matches(pattern, .search, letters)
      law("what matches whole matches as a prefix", !whole || prefix == true)
      law("what matches as a prefix is found", prefix != true || search == true)
    }
    let whole = matches(pattern, .whole, .sensitive)
    for other in ["(?:\(pattern))|(?:\(pattern))", "(?:\(pattern)){1}"] {
      let again = matches(other, .whole, .sensitive)
      law("a group changes nothing", again == nil || again == whole)
    }
    if let expected = PatternReference.wholeMatch(pattern, subject, unit) {
      law("the reference agrees", whole == expected)
    }
  }

  /// Whether there is a match; `nil` when the pattern is refused.
  private func matches(_ pattern: String, _ extent: PatternExtent, _ letters: LetterCase) -> Bool? {
    do throws(PatternError) {
      let compiled = try TextPattern(pattern, extent, letters, unit)
      let program = try PatternProgram(pattern, by: unit)
      let start = Self.time()
      let isMatch = compiled.matches(subject)
      checkTime(Self.time() - start, of: program)
      law("the same text has the same answer", compiled.matches(subject) == isMatch)
      return isMatch
    } catch {
      law(
        "an error lies in its pattern or at its end",
        0...pattern.unicodeScalars.count ~= error.offset)
      law("an error says something", !error.description.isEmpty)
      return nil
    }
  }

  /// Each character is tried against each place of the program once: the bound is some ten times
  /// the cost of that, and any backtracking soon takes more.
  private func checkTime(_ seconds: Double, of program: PatternProgram) {
    let items = program.steps.reduce(0) { sum, step in
      if case .take(let test) = step { sum + test.items.count + 1 } else { sum + 1 }
    }
    let turns = Double(items) * Double(subject.unicodeScalars.count + 1)
    law("a match takes time in proportion", seconds < 0.1 + turns * 10e-6)
  }

  /// The processor time of this thread, to which other processes do not add.
  private static func time() -> Double {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
