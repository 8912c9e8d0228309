import Foundation
import FreshStoreTools
import StoreSupport
import Testing

/// The folders of the repository have a fixed order: each uses only those before it.
///
/// The test reads the names of types: those that a folder declares, and those that it uses.
@Suite struct FolderOrderTests {
  private static let order = [
    "Errors", "Clock", "SQLiteDriver", "Records", "Codec", "Gate", "Changes", "Queue", "Fleet",
    "Memory", "Reporting", "Configuration", "Storage", "Observation", "Flights", "Core",
    "Collections", "Lists", "Outbox", "Values", "Synchronizing", "Maintenance", "Store",
  ]

  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/FreshStore")
  }

  /// The declarations and uses of the files of one folder.
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

    /// The words of a line of code, without comments, literals and members after a point.
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

  @Test func `every folder has a place in the order`() throws {
    #expect(try Set(names().keys) == Set(Self.order))
  }

  @Test func `a folder uses only earlier folders`() throws {
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
