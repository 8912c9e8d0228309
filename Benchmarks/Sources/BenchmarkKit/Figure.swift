/// One measured figure, for a program to read.
public struct Figure: Codable, Sendable {
  /// The name of the measured quantity; stable from one version to the next.
  public let name: String
  /// The value.
  public let value: Double
  /// The unit of the value.
  public let unit: String

  /// Creates a figure.
  public init(_ name: String, _ value: Double, _ unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }
}
