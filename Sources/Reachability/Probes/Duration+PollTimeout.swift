extension Duration {
  /// Whole milliseconds as `poll` takes them, rounded up so that a wait never ends just before its
  /// time, and never negative, which would mean for ever.
  var pollTimeout: Int32 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: min(seconds, 1_000_000) * 1_000 + rest)
  }
}
