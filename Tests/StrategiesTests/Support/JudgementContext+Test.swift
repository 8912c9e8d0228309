import Strategies

extension Timestamp {
  /// The moment of the tests: 2024-01-01T00:00:00Z.
  static let test = Timestamp(millisecondsSinceEpoch: 1_704_067_200_000)
}

extension JudgementContext {
  /// At the moment of the tests.
  static let test = JudgementContext(now: .test)
}
