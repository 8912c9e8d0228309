/// A change of the network and the state it leads to.
///
/// Only one of its lines changes the state, so that an observer sees one change or none.
public struct NetworkState: Sendable {
  /// The code of the reachability after the change.
  public let code: String
  /// The change: arguments for `ip`, one call a line.
  public let lines: [String]

  /// The state that these lines lead to.
  public init(_ code: String, _ lines: String...) {
    self.code = code
    self.lines = lines
  }
}
