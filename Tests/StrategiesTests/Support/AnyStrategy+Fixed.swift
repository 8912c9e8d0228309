import Strategies

extension AnyStrategy {
  /// Always the same verdict, and its own name as the reason.
  static func fixed(_ verdict: Verdict, named name: String = "fixed") -> AnyStrategy {
    .asking(name) { _, _ in Opinion(verdict, .custom(name)) }
  }
}

extension AnyAsyncStrategy {
  /// Always the same verdict, given after a suspension, and its own name as the reason.
  static func fixed(_ verdict: Verdict, named name: String = "fixed") -> AnyAsyncStrategy {
    .asking(name) { _, _ in
      await Task.yield()
      return Opinion(verdict, .custom(name))
    }
  }
}
