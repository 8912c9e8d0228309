internal import Platform

/// The logarithm of the C library.
enum NaturalLogarithm {
  /// −ln(x) for a random number x in 0 ..< 1; finite also for 0.
  static func negated(of random: Double) -> Double {
    0 - log(max(random, .leastNonzeroMagnitude))
  }
}
