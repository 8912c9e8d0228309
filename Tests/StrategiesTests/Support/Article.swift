import Strategies

/// An object every strategy can judge.
struct Article: Timestamped, Invalidatable, DeclaredValid, Versioned, Sendable {
  var lastUpdate: Timestamp? = .test
  var expiry: Expiry = .after(.seconds(5))
  var invalidation: String?
  var isDeclaredValid = false
  var version = 1

  /// An object that was last updated `age` before the moment of the tests.
  static func aged(_ age: Duration, expiry: Expiry = .after(.seconds(5))) -> Article {
    Article(lastUpdate: .test.advanced(by: .zero - age), expiry: expiry)
  }
}
