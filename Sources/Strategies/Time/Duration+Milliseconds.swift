extension Duration {
  /// The duration in whole milliseconds, rounded down, held at the ends of `Int64`.
  package var wholeMilliseconds: Int64 {
    let perMillisecond: Int128 = 1_000_000_000_000_000
    let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: perMillisecond)
    return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
  }
}
