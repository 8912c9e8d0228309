/// The reason why a call to the shared tier failed. It never holds a password, a key or a value.
public struct SharedTierError: Error, Sendable, Hashable {
  /// The kinds of failure.
  public enum Code: Sendable, Hashable {
    /// There is no way to it, or it went away.
    case unreachable
    /// It did not answer within the limit.
    case slow
    /// It refused the user, the password, the database or the connection's settings.
    case refused
    /// The address cannot be understood.
    case invalidAddress
    /// The library that speaks with it is missing or too old.
    case noLibrary
    /// The database has not been set up for a fleet.
    case noSchema
    /// A newer version has set it up.
    case newerSchema(found: Int, supported: Int)
    /// An older version has set it up, and it was not migrated yet.
    case olderSchema(found: Int, supported: Int)
    /// The tables of that name are another application's.
    case foreignTables
    /// The user lacks rights on the tables.
    case noRights
    /// It can only be read.
    case readOnly
    /// Its disk is full.
    case full
    /// An argument is beyond the limits.
    case invalidArgument
    /// The task was cancelled.
    case cancelled
    /// The client was closed.
    case closed
    /// Anything else.
    case other
  }

  /// The kind.
  public let code: Code
  /// The words for people.
  public let message: String
  /// The database's own code (SQLSTATE), if it gave one.
  public let state: String?
  /// True when the operation may have been done all the same.
  public var isUncertain: Bool

  /// Creates an error.
  public init(_ code: Code, _ message: String, state: String? = nil, isUncertain: Bool = false) {
    (self.code, self.message, self.state) = (code, message, state)
    self.isUncertain = isUncertain
  }
}

extension SharedTierError: CustomStringConvertible {
  /// The message, with the database's code.
  public var description: String {
    state.map { "\(message) (\($0))" } ?? message
  }
}
