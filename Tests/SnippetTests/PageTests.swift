import Foundation
import Testing

/// Every Swift block of a page is compiled, as a snippet of this folder.
@Suite struct PageTests {
  private static let snippets: Set<String> = {
    let sources = Page.files(in: "Tests/SnippetTests").filter { $0.hasSuffix(".swift") }
    return Set(
      sources.flatMap { source -> [String] in
        // A file that cannot be read has no snippets, and the pages that show them fail.
        let text = (try? Page.text(of: source)) ?? ""
        return Snippet.all(in: text).map(\.text)
      })
  }()

  @Test func `there are pages`() {
    #expect(Page.paths.count > 10)
  }

  @Test(arguments: Page.paths) func `every Swift block of a page is a snippet that compiles`(
    page: String
  ) throws {
    for block in try Page(page).blocks where block.language == "swift" {
      // A manifest's lines are no program.
      guard !block.text.contains(".package(") else { continue }
      let body = block.lines.drop { $0.isEmpty || $0.hasPrefix("import ") }
        .joined(separator: "\n")
      if !body.isEmpty, !Self.snippets.contains(body) {
        Issue.record("no snippet of Tests/SnippetTests is this block:\n\(body)")
      }
    }
  }
}
