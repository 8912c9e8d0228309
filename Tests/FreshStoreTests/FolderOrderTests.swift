import Foundation
import Testing

/// The folders of the repository stand in one order: each uses only those before it.
///
/// What is read are the names of types: those that a folder declares, and those that it writes.
@Suite struct FolderOrderTests {
  private static let order = [
    "Errors", "Clock", "Tasks", "SQLiteDriver", "Records", "Fetch", "Codec", "Gate", "Changes",
    "Queue",
    "Results", "Export", "Memory", "Reporting", "Configuration", "Storage", "Observation",
    "Flights",
    "Core", "Collections", "Lists", "Outbox", "Synchronizing", "Maintenance", "Diagnosis", "Store",
  ]

  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/FreshStore")
  }

  /// What the files of one folder declare and write.
  private struct Names {
    var types: Set<String> = []
    var nested: Set<String> = []
    var used: Set<String> = []

    private static let keywords: Set = [
      "struct", "class", "enum", "protocol", "actor", "typealias",
    ]

    mutating func read(_ text: String) {
      for line in text.split(separator: "\n") {
        let isNested = line.first == " "
        var last = ""
        for word in Self.words(of: line) {
          if Self.keywords.contains(last) {
            if isNested { nested.insert(word) } else { types.insert(word) }
          } else if word.first?.isUppercase == true {
            used.insert(word)
          }
          last = word
        }
      }
    }

    /// The words of a line of code, without comments, literals and what stands after a point.
    private static func words(of line: Substring) -> [String] {
      var (words, word, last): ([String], String, Character) = ([], "", " ")
      var (isLiteral, isMember) = (false, false)
      for character in line + "\n" {
        defer { last = character }
        if character == "\"", last != "\\" { isLiteral.toggle() }
        if isLiteral { continue }
        if character == "/", last == "/" { break }
        if character.isLetter || character.isNumber || character == "_" {
          if word.isEmpty { isMember = last == "." }
          word.append(character)
        } else if !word.isEmpty {
          if !isMember { words.append(word) }
          word = ""
        }
      }
      return words
    }
  }

  private func names() throws -> [String: Names] {
    let walk = try #require(FileManager.default.enumerator(atPath: Self.folder.path))
    var names: [String: Names] = [:]
    for case let path as String in walk where path.hasSuffix(".swift") {
      let folder = String(path.prefix { $0 != "/" })
      names[folder, default: Names()].read(
        try String(contentsOf: Self.folder.appendingPathComponent(path), encoding: .utf8))
    }
    return names
  }

  @Test func `every folder has its place`() throws {
    #expect(try Set(names().keys) == Set(Self.order))
  }

  @Test func `a folder uses only those before it`() throws {
    let names = try names()
    var found: [String: Set<String>] = [:]
    for (place, folder) in Self.order.enumerated() {
      let own = try #require(names[folder])
      let later = Self.order.dropFirst(place + 1).compactMap { names[$0]?.types }
      let known = own.types.union(own.nested)
      let uses = later.reduce(into: Set()) { $0.formUnion($1) }.intersection(own.used)
        .subtracting(known)
      if !uses.isEmpty { found[folder] = uses }
    }
    #expect(found.isEmpty)
  }
}
