/// One way in which an implementation breaks a law of its protocol.
public struct LawViolation: Sendable, Hashable {
  /// The law, as a sentence that should have been true.
  public let law: String
  /// What was checked, such as a strategy's name.
  public let checked: String
  /// What was seen instead.
  public let observation: String

  /// Creates a violation.
  public init(law: String, checked: String, observation: String) {
    self.law = law
    self.checked = checked
    self.observation = observation
  }
}

extension LawViolation: CustomStringConvertible {
  /// One line with everything.
  public var description: String { "\(checked): not true that \(law): \(observation)" }
}
