/// The error of a value that breaks its rules, or could not be decoded.
public struct VerificationError: Error, Sendable, Hashable {
  /// Everything that is wrong, in the order in which it was found.
  public let report: Report

  /// Creates an error.
  public init(_ report: Report) {
    self.report = report
  }
}

extension VerificationError: CustomStringConvertible {
  /// The issues separated by semicolons.
  public var description: String { report.description }
}
