/// One change to one place of the sources, which a switch turns on.
struct Mutant: Sendable {
  /// The number of its switch.
  var number: Int
  /// The file, relative to the root of the package.
  var file: String
  /// Line and column, from one.
  var line: Int
  var column: Int
  /// The original text, and the mutant's replacement.
  var change: String
  /// The insertions before and after the text from `start` to `end`, in bytes of the file.
  var start: Int
  var end: Int
  var opening: String
  var closing: String

  /// Identifies the mutant as long as the file stays as it is.
  var name: String { "\(file):\(line):\(column): \(change)" }

  /// The folder it is counted under: the module, and the first folder in it.
  var folder: String {
    file.split(separator: "/").dropLast().prefix(3).joined(separator: "/")
  }
}
