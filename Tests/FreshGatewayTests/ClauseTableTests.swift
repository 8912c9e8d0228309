internal import Foundation
internal import Testing

/// `Documentation/HTTPCachingClauses.md` names every test that cites a clause, and no other.
@Suite struct ClauseTableTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let page = tests.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation/HTTPCachingClauses.md")

  @Test func `every test stands in the row of each clause that it cites`() throws {
    var cited: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.tests.path)
    where path.hasSuffix("Tests.swift") {
      let file = Self.tests.appendingPathComponent(path)
      let text = try String(contentsOf: file, encoding: .utf8)
      // A long name stands on a line of its own.
      for match in text.matches(of: /func\s+`(RFC [^`]+)`/) {
        cited.formUnion(
          Self.rows(
            of: String(match.output.1), in: file.deletingPathExtension().lastPathComponent))
      }
    }
    #expect(cited.count > 100)
    var listed: Set<String> = []
    var document = ""
    for line in try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("## RFC ") {
        document = String(line.dropFirst(7).prefix { $0 != "," })
      } else if line.hasPrefix("| "), line.dropFirst(2).first?.isNumber == true {
        listed.insert("\(document) \(line)")
      }
    }
    #expect(cited.subtracting(listed).sorted() == [])
    #expect(listed.subtracting(cited).sorted() == [])
  }

  /// The rows of a title: three for `RFC 9111 3 and 4.1, RFC 9110 8: text`.
  private static func rows(of title: String, in suite: String) -> [String] {
    guard let colon = title.firstRange(of: ": ") else { return [] }
    let behaviour = title[colon.upperBound...]
    var document = ""
    return title[..<colon.lowerBound].replacing(" and ", with: ", ").split(separator: ", ").map {
      clause in
      var words = clause.split(separator: " ")
      if words.first == "RFC" {
        document = String(words[1])
        words.removeFirst(2)
      }
      return "\(document) | \(words.joined(separator: " ")) | \(behaviour) | `\(suite)` |"
    }
  }
}
