/// An object that knows when it was last updated and how long that holds.
public protocol Timestamped {
  /// When the object was last known to equal its source; `nil` when unknown.
  var lastUpdate: Timestamp? { get }
  /// How long after ``lastUpdate`` it may be served.
  var expiry: Expiry { get }
}

/// An object that can say it must be fetched again.
public protocol Invalidatable {
  /// Why the object is invalid; `nil` when it makes no such statement.
  var invalidation: String? { get }
}

/// An object whose owner can declare it valid.
public protocol DeclaredValid {
  /// True when the owner vouches for the object; false is no statement.
  var isDeclaredValid: Bool { get }
}

/// An object that carries the version of the content or of the code that wrote it.
public protocol Versioned<Version> {
  /// The type of the version.
  associatedtype Version: Equatable & Sendable
  /// The object's version.
  var version: Version { get }
}
