/// The command line of a subject's program.
public struct Options: Sendable {
  /// A smoke run: few samples, whose figures mean nothing.
  public let isQuick: Bool
  /// Figures for a program to read, instead of tables.
  public let isJSON: Bool
  /// The other arguments: none, or the part to run in this process and its parameters.
  public let part: [String]

  /// Reads the arguments, without the program's name.
  public init(_ arguments: [String]) {
    isQuick = arguments.contains("--quick")
    isJSON = arguments.contains("--json")
    part = arguments.filter { !$0.hasPrefix("--") }
  }
}
