/// One way in which an implementation breaks a law of its protocol.
public struct LawViolation: Sendable, Hashable {
  /// The law, as a statement that should have been true.
  public let law: String
  /// The checked object, such as a strategy's name.
  public let checked: String
  /// The observation that contradicts it.
  public let observation: String

  /// Creates a violation.
  package init(law: String, checked: String, observation: String) {
    self.law = law
    self.checked = checked
    self.observation = observation
  }
}

extension LawViolation: CustomStringConvertible {
  /// One line with all three.
  public var description: String { "\(checked): not true that \(law): \(observation)" }
}
