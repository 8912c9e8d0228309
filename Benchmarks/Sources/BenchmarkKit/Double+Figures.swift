internal import Foundation

extension Double {
  /// The value with about three significant digits, as people read figures.
  public var figures: String {
    let digits =
      switch magnitude {
      case ..<10: 2
      case ..<100: 1
      default: 0
      }
    return formatted(
      .number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US"))
        .grouping(.automatic))
  }
}
