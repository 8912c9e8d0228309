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
