extension Array {
  /// Makes room for `count` elements, and a quarter more: growing by doubling leaves a third of the
  /// memory empty.
  mutating func reserveSlowly(_ count: Int) {
    guard count > capacity else { return }
    reserveCapacity(count + count / 4)
  }
}
