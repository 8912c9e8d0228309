import Foundation
import Testing

/// No value becomes SQL: every statement is a constant, made of constants.
@Suite struct ConstantSQLTests {
  private static var sources: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
  }

  /// The allowed parts of a composed statement: lists of columns and pieces of SQL, which are
  /// static constants themselves, and the names of tables, which are cases.
  private static let constants: Set = [
    "StoredRecord.columns", "StoredRecord.columnsOfRow", "StoredRecord.plainColumns",
    "StoredRecord.coveringEpoch",
    "StoredRecord.isPending", "StoredRecord.value", "StoredRecord.size", "StoredRecord.table",
    "StoredRecord.failures", "StoredRecord.sizeOfContent", "StoredRecord.bytesOfBlocks",
    "sizeOfContent",
    "StoredRecord.endOfPause", "RecordFlags.kind", "RecordFlags.pending", "RecordFlags.failing",
    "RecordFlags.isAnswer", "RecordFlags.isValue", "RecordFlags.isAbsence",
    "RecordFlags.isFailing", "RecordFlags.isPinned", "RecordFlags.isTagged",
    "RecordFlags.isNotPending", "RecordFlags.isPlain", "isWanted", "isLoose", "age",
    "RecordColumns.list", "RecordColumns.parameters", "RecordColumns.assignments",
    "RecordColumns.first", "RecordColumns.second", "RecordColumns.third",
    "StoredWrite.columns", "columns",
    "names", "writeMoment", "isFirstWriteOfKey", "isNext", "predecessor", "isDue", "deadlineOfRow",
    "StoredRecord.deadlineOfRow", "StoredRecord.sweepPlaceOfRow",
    "writeOrder", "waiting", "selectWhole", "table", "column", "highest",
    "table.rawValue", "parameters", "StoredRecord.footprint", "isAtRest", "ageOfPrunable",
    "waitingColumns",
  ]

  /// The Swift files, by their path below the sources.
  private func files() throws -> [String: String] {
    let walk = try #require(FileManager.default.enumerator(atPath: Self.sources.path))
    var files: [String: String] = [:]
    for case let name as String in walk where name.hasSuffix(".swift") {
      files[name] = try String(
        contentsOf: Self.sources.appendingPathComponent(name), encoding: .utf8)
    }
    return files
  }

  @Test func `no statement contains a variable value`() throws {
    let keywords = [
      "SELECT ", "INSERT ", "UPDATE ", "DELETE ", "FROM ", "WHERE ", "VALUES ", "ORDER BY ",
      "LIMIT ",
    ]
    var offences: [String] = []
    for (name, text) in try files()
    where name.contains("SQLiteDriver/") || name.contains("Storage/") || text.contains("SQL(") {
      for line in text.split(separator: "\n") where !line.contains("///") {
        guard keywords.contains(where: line.contains) else { continue }
        for piece in line.split(separator: "\\(", omittingEmptySubsequences: false).dropFirst() {
          let inserted = String(piece.prefix { $0 != ")" })
          if !Self.constants.contains(inserted) { offences.append("\(name): \(inserted)") }
        }
      }
    }
    #expect(offences.isEmpty)
  }

  @Test func `no shell is ever started`() throws {
    let words = ["/bin/sh", "\"sh\"", "\"bash\"", "system(", "popen(", "Foundation.Process("]
    let offences = try files().filter { name, text in
      // Completion scripts are read by a shell, and some of their words name it.
      !name.contains("CompletionQuestion") && words.contains(where: text.contains)
    }
    #expect(offences.keys.sorted().isEmpty)
  }
}
