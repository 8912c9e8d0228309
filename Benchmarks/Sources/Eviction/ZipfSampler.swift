internal import Foundation

/// Draws ranks with probability proportional to 1 / (rank + 1)^exponent, in constant time
/// by Vose's alias tables.
struct ZipfSampler {
  private var thresholds: [Double]
  private var aliases: [Int]

  init(count: Int, exponent: Double) {
    let masses = (0..<count).map { 1 / pow(Double($0 + 1), exponent) }
    let total = masses.reduce(0, +)
    var scaled = masses.map { $0 / total * Double(count) }
    var light = scaled.indices.filter { scaled[$0] < 1 }
    var heavy = scaled.indices.filter { scaled[$0] >= 1 }
    thresholds = Array(repeating: 1, count: count)
    aliases = Array(0..<count)
    while let lower = light.popLast(), let upper = heavy.popLast() {
      thresholds[lower] = scaled[lower]
      aliases[lower] = upper
      scaled[upper] -= 1 - scaled[lower]
      if scaled[upper] < 1 { light.append(upper) } else { heavy.append(upper) }
    }
  }

  func rank(using generator: inout SeededGenerator) -> Int {
    let column = generator.below(thresholds.count)
    return generator.unit() < thresholds[column] ? column : aliases[column]
  }
}
