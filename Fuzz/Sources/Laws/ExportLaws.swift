import FreshStore
import FreshStoreTools
import Strategies

/// The laws that an import keeps for any input, and that imported records are exported unchanged.
struct ExportLaws {
  /// The laws for a file of lines; its first byte also says where the file is cut.
  static func check(_ input: [UInt8]) {
    waiting {
      let folder = StoreFolder.fresh()
      let cut = Int(input.first ?? 1) % 7 + 1
      guard let first = try await taken(input, inPartsOf: .max, folder, "whole") else {
        let parts = try await taken(input, inPartsOf: cut, folder, "parts")
        return law("what is no export is none in parts", parts == nil)
      }
      let parts = try await taken(input, inPartsOf: cut, folder, "parts")
      law("an import is the same however its bytes come", parts == first)
      let again = try await taken(first.lines, inPartsOf: .max, folder, "again")
      law("what is exported is taken in", again?.result.refused == 0)
      law("what is exported again is the same", again?.lines == first.lines)
    }
  }

  private struct Taken: Equatable {
    let result: ImportResult
    /// The store's export after the import.
    let lines: [UInt8]
  }

  /// Imports into an empty store, checks everything in it, and exports it; `nil` when it is no
  /// export.
  private static func taken(
    _ input: [UInt8], inPartsOf size: Int, _ folder: StoreFolder, _ name: String
  ) async throws -> Taken? {
    folder.write(StoreTemplate.empty, to: name)
    var configuration = StoreTemplate.configuration
    configuration.maximumValueSize = 6000
    let store = try Store(path: folder.file(name), configuration: configuration)
    let result = try await imported(input, inPartsOf: size, store)
    if let result {
      law(
        "every record is told of once",
        result.records == result.imported + result.kept + result.pending + result.refused)
      try await checkRecords(of: store, imported: result.imported)
    }
    let lines = try await exported(store)
    law("a store is sound", try await store.check().isSound)
    if result != nil {
      _ = try await store.sweep()
      law("a sweep leaves a store sound", try await store.check().isSound)
    }
    try await store.close()
    return result.map { Taken(result: $0, lines: lines) }
  }

  private static func imported(
    _ input: [UInt8], inPartsOf size: Int, _ store: Store
  ) async throws -> ImportResult? {
    var options = ImportOptions()
    options.refused = { refusal in
      law("a refusal says something", !refusal.reason.isEmpty)
      law("a refusal does nothing to a terminal", refusal.reason.isHarmless)
    }
    var importer = store.importer(options)
    var rest = input[...]
    do throws(StoreError) {
      while !rest.isEmpty {
        try await importer.take(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      return try await importer.finish()
    } catch {
      guard case .notAnExport = error.code else { throw error }
      law("an error says something", !error.description.isEmpty)
      return nil
    }
  }

  private static func exported(_ store: Store) async throws -> [UInt8] {
    var lines: [UInt8] = []
    for try await part in store.exporting() {
      law("no record is damaged", part.damagedRecords.isEmpty)
      lines += part.lines
    }
    return lines
  }

  /// Asks for every record in every way that reads it.
  private static func checkRecords(of store: Store, imported: Int) async throws {
    let statistics = try store.statistics()
    var count = 0
    for collection in statistics.collections {
      let records = try store.bytes(collection.name)
      var last: RecordSummary?
      while true {
        let page = try store.list(collection: collection.name, after: last, limit: 100)
        for summary in page {
          let read = try records.read(summary.key)
          // A listing knows no codec, so it does not notice a value written by another.
          law(
            "a read says what a listing says",
            [summary.decision.outcome, .unusable].contains(read.decision.outcome))
          law("a decision can be told", !read.decision.description.isEmpty)
          let servable = try records.servableValue(summary.key)
          law("what is fresh is served", servable == nil || read.decision.outcome == .fresh)
        }
        count += page.count
        last = page.last
        if page.count < 100 { break }
      }
    }
    law("no more records are there than were taken in", count <= imported)
    law("a record that was taken in is there", imported == 0 || count > 0)
  }
}
