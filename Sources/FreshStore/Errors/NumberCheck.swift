internal import Strategies

/// The check of a group of numbers: each has its range, and the first one outside is named in words.
///
/// A duration ends at ``Duration/unlimited``, so sums of durations and moments cannot overflow.
package struct NumberCheck {
  /// The first number outside its range, in words; `nil` when there is none.
  package private(set) var problem: String?

  package init() {}

  /// Checks a number; `nil` is in range.
  package mutating func require<Number: Comparable>(
    _ name: StaticString, _ value: Number?, from least: Number, to most: Number
  ) {
    // A number that is not one compares as false with both ends.
    guard problem == nil, let value, !(value >= least && value <= most) else { return }
    problem =
      "\(name) is \(Self.text(value)); it ranges from \(Self.text(least)) to \(Self.text(most))"
  }

  /// Checks a whole number without an upper end; `nil` is in range.
  package mutating func require(_ name: StaticString, _ value: Int?, from least: Int) {
    guard problem == nil, let value, value < least else { return }
    problem = "\(name) is \(value); it is at least \(least)"
  }

  /// Checks a duration; `nil` is in range.
  package mutating func require(
    _ name: StaticString, _ value: Duration?, from shortest: Duration = .zero
  ) {
    require(name, value, from: shortest, to: .unlimited)
  }

  /// Takes over the problem of a part.
  package mutating func require(_ part: NumberCheck) { problem = problem ?? part.problem }

  private static func text<Number>(_ value: Number) -> String {
    (value as? Duration).map(\.brief) ?? "\(value)"
  }
}
