/// Fits an amount of work into a span of time, based on the duration of the last pieces.
struct Pace: Sendable {
  /// The target duration of one piece of work.
  let target: Duration
  /// The smallest piece: below it the fixed cost of every piece would dominate.
  let least: Int
  /// The largest piece.
  let most: Int
  /// The size of the next piece.
  private(set) var amount: Int

  init(target: Duration, start: Int, least: Int = 1, most: Int) {
    self.target = target
    self.most = max(1, most)
    self.least = min(max(1, least), self.most)
    amount = min(max(self.least, start), self.most)
  }

  /// Learns from a piece of work. Halves at most and grows by a quarter at most: one slow moment of
  /// the machine tells little.
  mutating func note(_ done: Int, took: Duration) {
    if took > target {
      let fitting = Double(done) * (target / took)
      amount = max(least, amount / 2, min(amount, Int(fitting)))
    } else if done >= amount, took * 4 < target * 3 {
      amount = min(most, amount + amount / 4 + 1)
    }
  }
}
