extension SchemaReader {
  /// Ensures that a number can lie between bounds stated side by side.
  func settleBounds(
    _ members: [(name: String, value: SchemaValue)], _ value: SchemaValue
  ) throws(SchemaError) {
    for (low, lowest) in members where low == "min" || low == "greaterThan" {
      for (high, highest) in members where high == "max" || high == "lessThan" {
        let (lower, upper) = (try lowest.number(), try highest.number())
        let includesBoth = low == "min" && high == "max"
        guard lower < upper || includesBoth && lower == upper else {
          throw value.error(.contradiction("no number keeps both \"\(low)\" and \"\(high)\""))
        }
      }
    }
  }
}
