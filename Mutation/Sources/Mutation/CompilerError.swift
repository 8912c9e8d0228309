/// One error in the output of the compiler.
struct CompilerError {
  /// The file, relative to the root of the package.
  var file: String
  var line: Int
  var column: Int
  var message: String

  /// The errors in the files of a package.
  static func errors(in output: String, package: String) -> [CompilerError] {
    output.split(separator: "\n").compactMap { line in
      guard line.hasPrefix(package + "/") else { return nil }
      let parts = line.dropFirst(package.count + 1).split(separator: ":", maxSplits: 3)
      guard parts.count == 4, let row = Int(parts[1]), let column = Int(parts[2]),
        parts[3].hasPrefix(" error: ")
      else { return nil }
      return CompilerError(
        file: String(parts[0]), line: row, column: column,
        message: String(parts[3].dropFirst(" error: ".count)))
    }
  }

  /// A value or a result is missing, because a statement is left out.
  var isOfFlow: Bool { message.contains("initialized") || message.contains("missing return") }

  /// The name that it is about.
  var name: String {
    message.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first.map(
      String.init)
      ?? message
  }

  /// Such an error is reported where the expression begins, and each of its mutants contributes to
  /// it.
  var isOfTime: Bool { message.contains("reasonable time") || message.contains("too complex") }
}
