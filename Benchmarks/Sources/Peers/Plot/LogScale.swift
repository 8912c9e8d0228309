internal import Foundation

/// The positions of values of many sizes on a line, each power of ten as far from the next.
struct LogScale {
  /// The powers of ten from the last one below all values to the first one above them.
  let decades: [Double]
  private let start: Double
  private let end: Double

  /// A scale for some values, drawn between two coordinates.
  init(of values: [Double], from start: Double, to end: Double) {
    let low = log10(values.min() ?? 1).rounded(.down)
    let high = max(low + 1, log10(values.max() ?? 1).rounded(.up))
    decades = stride(from: low, through: high, by: 1).map { pow(10, $0) }
    (self.start, self.end) = (start, end)
  }

  /// The coordinate of a value.
  func place(of value: Double) -> Double {
    let part = log10(value / decades[0]) / Double(decades.count - 1)
    return start + part * (end - start)
  }
}
