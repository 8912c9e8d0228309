/// One change to one place of the sources, which a switch turns on.
struct Mutant: Sendable {
  /// What its switch is called.
  var number: Int
  /// The file, from the root of the package on.
  var file: String
  /// Line and column, from one.
  var line: Int
  var column: Int
  /// What stands there, and what the mutant makes of it.
  var change: String
  /// What is written before and after the text from `start` to `end`, in bytes of the file.
  var start: Int
  var end: Int
  var opening: String
  var closing: String

  /// Tells the mutant from all others as long as the file stays as it is.
  var name: String { "\(file):\(line):\(column): \(change)" }

  /// The folder it is counted under: the module, and the first folder in it.
  var folder: String {
    file.split(separator: "/").dropLast().prefix(3).joined(separator: "/")
  }
}
