import Foundation

/// A page of the documentation: the README, an article, or a page of the folder `Documentation`.
struct Page {
  /// The lines between two fences.
  struct Block {
    /// The word behind the first fence.
    var language: String
    var lines: [String] = []
    /// Why it is not run, as a comment right above it says.
    var reasonNotToRun: String?

    var text: String { lines.joined(separator: "\n") }
  }

  /// An example for a shell, and what the page shows of its output.
  struct ShellExample {
    var commands: String
    var output: String?

    /// True for one that needs the database of a fleet.
    var isOfFleet: Bool { commands.contains("FRESHSTORE_FLEET") }
  }

  /// In their order.
  let blocks: [Block]

  /// - Parameter path: The path of the page, below the root of the package.
  init(_ path: String) throws { blocks = Self.blocks(of: try Self.text(of: path)) }

  /// The blocks for a shell that are run. The output of a block, on both streams, is the `text`
  /// block that comes next.
  var shellExamples: [ShellExample] {
    blocks.indices.compactMap { place in
      let block = blocks[place]
      guard block.language == "sh", block.reasonNotToRun == nil else { return nil }
      let next = blocks.dropFirst(place + 1).first
      return ShellExample(
        commands: block.text, output: next?.language == "text" ? next?.text : nil)
    }
  }

  /// The paths of all pages.
  static let paths: [String] = {
    let articles = files(in: "Sources").filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
    let others = files(in: "Documentation").filter { $0.hasSuffix(".md") }
    return ["README.md"] + (articles + others).sorted()
  }()

  /// The text of a file of the package.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The paths of the files in a folder of the package, and in the folders in it.
  static func files(in folder: String) -> [String] {
    let files = FileManager.default.enumerator(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).map {
      String($0.path.dropFirst(root.path.count + 1))
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let (commentBegin, commentEnd) = ("<!-- not run: ", " -->")

  private static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var (block, above): (Block?, String) = (nil, "")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let begun = block {
        if line == "```" {
          blocks.append(begun)
          (block, above) = (nil, line)
        } else {
          block?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        block = Block(language: String(line.dropFirst(3)), reasonNotToRun: reason(in: above))
      } else {
        above = line
      }
    }
    return blocks
  }

  private static func reason(in line: String) -> String? {
    guard line.hasPrefix(commentBegin), line.hasSuffix(commentEnd) else { return nil }
    let reason = line.dropFirst(commentBegin.count).dropLast(commentEnd.count)
    return reason.isEmpty ? nil : String(reason)
  }
}
