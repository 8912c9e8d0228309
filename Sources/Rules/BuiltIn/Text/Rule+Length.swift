extension Rule where Value == String {
  /// Kept by a text of at least so many units.
  public static func length(min: Int, in unit: LengthUnit = .graphemes) -> Rule {
    Rule(code: "too-short", parameters: ["min": .integer(min), "unit": .text(unit.rawValue)]) {
      unit.hasLength($0, ofAtLeast: min)
    }
  }

  /// Kept by a text of at most so many units.
  public static func length(max: Int, in unit: LengthUnit = .graphemes) -> Rule {
    Rule(code: "too-long", parameters: ["max": .integer(max), "unit": .text(unit.rawValue)]) {
      $0.utf8.count <= max || !unit.hasLength($0, ofAtLeast: max + 1)
    }
  }

  /// Kept by a text of at least `min` and at most `max` units.
  public static func length(min: Int, max: Int, in unit: LengthUnit = .graphemes) -> Rule {
    .all(length(min: min, in: unit), length(max: max, in: unit))
  }

  /// Kept by a text of a length in the range.
  public static func length(_ range: ClosedRange<Int>, in unit: LengthUnit = .graphemes) -> Rule {
    length(min: range.lowerBound, max: range.upperBound, in: unit)
  }

  /// Kept by a text of a length in the range, its upper bound excluded.
  public static func length(_ range: Range<Int>, in unit: LengthUnit = .graphemes) -> Rule {
    length(min: range.lowerBound, max: max(range.upperBound, .min + 1) - 1, in: unit)
  }

  /// Kept by a text of at least so many units.
  public static func length(
    _ range: PartialRangeFrom<Int>, in unit: LengthUnit = .graphemes
  ) -> Rule {
    length(min: range.lowerBound, in: unit)
  }

  /// Kept by a text of at most so many units.
  public static func length(
    _ range: PartialRangeThrough<Int>, in unit: LengthUnit = .graphemes
  ) -> Rule {
    length(max: range.upperBound, in: unit)
  }

  /// Kept by a text of exactly so many units.
  public static func length(exactly count: Int, in unit: LengthUnit = .graphemes) -> Rule {
    Rule(
      code: "wrong-length",
      parameters: ["length": .integer(count), "unit": .text(unit.rawValue)]
    ) {
      count >= 0 && unit.hasLength($0, ofAtLeast: count)
        && ($0.utf8.count == count || !unit.hasLength($0, ofAtLeast: count + 1))
    }
  }
}
