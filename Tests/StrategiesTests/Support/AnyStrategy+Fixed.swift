import Strategies

extension Strategy {
  /// Always the same verdict, and its own name as the reason.
  static func fixed<Object>(_ verdict: Verdict, named name: String = "fixed") -> Self
  where Self == AnyStrategy<Object> {
    .asking(name) { _, _ in Opinion(verdict, .custom(name)) }
  }
}

extension AsyncStrategy {
  /// Always the same verdict, given after a suspension, and its own name as the reason.
  static func fixed<Object>(_ verdict: Verdict, named name: String = "fixed") -> Self
  where Self == AnyAsyncStrategy<Object> {
    .asking(name) { _, _ in
      await Task.yield()
      return Opinion(verdict, .custom(name))
    }
  }
}
