import Foundation
import Testing

/// Every Swift block of the README and of the articles is compiled, as a snippet of this folder.
@Suite struct PageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let pages: [String] = {
    let sources = root.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let articles = (files?.compactMap { $0 as? URL } ?? []).filter {
      $0.pathExtension == "md" && $0.path.contains(".docc/")
    }
    return ["README.md"] + articles.map { String($0.path.dropFirst(root.path.count + 1)) }.sorted()
  }()

  private static let snippets: Set<String> = {
    let folder = root.appending(path: "Tests/SnippetTests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let sources = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    return Set(
      sources.flatMap { source -> [String] in
        // A file that cannot be read has no snippets, and the pages that show them fail.
        let text = (try? String(contentsOf: source, encoding: .utf8)) ?? ""
        return Snippet.all(in: text).map(\.text)
      })
  }()

  @Test func `there are pages`() {
    #expect(Self.pages.count > 10)
  }

  @Test(arguments: pages) func `every Swift block of a page is a snippet that compiles`(
    page: String
  ) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    for block in Self.blocks(of: text) where !Self.snippets.contains(block) {
      Issue.record("no snippet of Tests/SnippetTests is this block:\n\(block)")
    }
  }

  /// The Swift blocks, without the imports and empty lines at their beginning. A manifest's lines are
  /// no program.
  private static func blocks(of text: String) -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```swift" {
        block = []
      } else if line == "```", let lines = block {
        block = nil
        guard !lines.contains(where: { $0.contains(".package(") }) else { continue }
        let body = lines.drop { $0.isEmpty || $0.hasPrefix("import ") }
        if !body.isEmpty { blocks.append(body.joined(separator: "\n")) }
      } else {
        block?.append(line)
      }
    }
    return blocks
  }
}
