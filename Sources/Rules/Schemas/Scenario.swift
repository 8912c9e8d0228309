/// The name of a situation in which a model is checked, such as `create` or `update`.
public struct Scenario: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public let rawValue: String

  /// The scenario when none is given.
  public static let `default`: Scenario = "default"

  /// Creates a scenario of this name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a scenario of this name.
  public init(stringLiteral name: String) { self.init(rawValue: name) }
  /// The name.
  public var description: String { rawValue }
}
