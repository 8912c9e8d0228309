extension Duration {
  /// The duration in whole milliseconds, rounded down, held at the ends of `Int64`.
  public var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    // Components carry one sign; the division truncates, so a negative rest rounds down by one.
    let (quotient, remainder) = attoseconds.quotientAndRemainder(
      dividingBy: 1_000_000_000_000_000)
    let (sum, sumOverflow) = scaled.addingReportingOverflow(remainder < 0 ? quotient - 1 : quotient)
    return sumOverflow ? (seconds < 0 ? .min : .max) : sum
  }
}
