import Foundation
import FreshStoreTesting
import Testing

/// A piece of this folder's sources that a page shows, between the comments `// begin: name` and
/// `// end`; pieces of one name follow each other, with an empty line between them.
struct Snippet {
  var name: String
  var lines: [String]

  /// The text as a page has it, without the imports above it.
  var text: String { lines.joined(separator: "\n") }

  /// The output that the comments behind the `print` calls state.
  var printed: [String] {
    lines.compactMap { line in
      guard line.contains("print("), let comment = line.range(of: ")  // ") else { return nil }
      return String(line[comment.upperBound...])
    }
  }

  /// The snippets of a source file, in the order of their names.
  static func all(in source: String) -> [Snippet] {
    var snippets: [String: Snippet] = [:]
    var (name, piece): (String?, [Substring]) = (nil, [])
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let bare = line.trimmingCharacters(in: .whitespaces)
      if bare.hasPrefix("// begin: ") {
        (name, piece) = (String(bare.dropFirst(10)), [])
      } else if bare == "// end", let begun = name {
        var snippet = snippets[begun] ?? Snippet(name: begun, lines: [])
        if !snippet.lines.isEmpty { snippet.lines.append("") }
        snippet.lines += unindented(piece)
        snippets[begun] = snippet
        name = nil
      } else if name != nil {
        piece.append(line)
      }
    }
    return snippets.values.sorted { $0.name < $1.name }
  }

  private static func unindented(_ lines: [Substring]) -> [String] {
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let indent = indents.min() ?? 0
    return lines.map { line in
      // A page names files as a reader would.
      String(line.dropFirst(indent)).replacing(/file\(("[^"]*")\)/) { $0.output.1 }
    }
  }
}

/// Where snippets of one test keep their files, and what they print.
final class Stage: Sendable {
  @TaskLocal static var current: Stage?

  let folder: TemporaryFolder
  let output = Output()

  init() throws { folder = try TemporaryFolder() }

  /// Runs a test's snippets, and compares what they print with what their comments say.
  static func run(
    _ names: String..., sourceFile: String = #filePath, _ body: () async throws -> Void
  ) async throws {
    let stage = try Stage()
    try await $current.withValue(stage) { try await body() }
    let snippets = Snippet.all(in: try String(contentsOfFile: sourceFile, encoding: .utf8))
    let expected = try names.flatMap { name in
      try #require(snippets.first { $0.name == name }, "no snippet is named \(name)").printed
    }
    #expect(stage.output.lines == expected)
  }
}

/// The path of a file that a page calls by its name alone.
func file(_ name: String) -> String {
  Stage.current?.folder.file(name) ?? name
}
