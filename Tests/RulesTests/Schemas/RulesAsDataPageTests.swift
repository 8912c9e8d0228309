import Foundation
import Rules
import Testing

/// The examples of `Documentation/RulesAsData.md` are run, so that the page stays true.
@Suite struct RulesAsDataPageTests {
  private static func page() throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "Documentation/RulesAsData.md"), encoding: .utf8)
  }

  /// The blocks of the page in this language.
  private static func blocks(_ language: String) throws -> [String] {
    try page().components(separatedBy: "```\(language)\n").dropFirst().map {
      String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex))
    }
  }

  /// Key and example of each row of the page's tables.
  private static func rows() throws -> [(key: String, example: String)] {
    try page().split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      let cells = row.split(separator: " | ")
      return (
        cells[0].filter { $0 != "|" && $0 != "`" && $0 != " " }, cells[1].filter { $0 != "`" }
      )
    }
  }

  @Test func `the worked example gives the issues that the page lists`() throws {
    let json = try Self.blocks("json")
    let schema = try DocumentSchema(parsing: Array(json[0].utf8))
    let admitted = schema.admit(try JSONValue(parsing: json[1]), in: "create")
    let issues = admitted.report.issues.map { "\($0.path) \($0.code) \($0.severity.rawValue)" }
    #expect(issues.joined(separator: "\n") + "\n" == (try Self.blocks("text")[0]))
    #expect(admitted.document["language"] == "en")
    #expect(admitted.document["title"] == "On the taste of water in the high valleys")
  }

  @Test func `every example of the tables is a schema`() throws {
    let vocabulary = SchemaVocabulary(rules: ["known-user": .pass])
    for row in try Self.rows() {
      #expect(throws: Never.self, "\(row.example)") {
        try DocumentSchema(parsing: Array(row.example.utf8), vocabulary: vocabulary)
      }
      #expect(row.example.contains("\"\(row.key)\""))
    }
  }

  @Test func `the tables list exactly the supported keys`() throws {
    #expect(try Self.rows().map(\.key).sorted() == DocumentSchema.keys)
  }
}
