public import FreshStore
internal import Platform
internal import Rules

/// Imports the output of an export, in pieces; see `Store.importer(_:)`.
public struct StoreImport {
  /// The result so far.
  public private(set) var result = ImportResult()

  private let store: Store
  /// Names the import's question among the open ones.
  let question = "import:" + String(UInt64.random(in: .min ... .max), radix: 36)
  private let options: ImportOptions
  private var lines: LineSplitter
  private var writer: TurnWriter
  private var waiting: [ExportedRecord] = []
  private var waitingBytes = 0
  private var hasHeader = false

  /// The maximum of records that wait in memory.
  private static let mostWaiting = 256
  private static let mostBytesWaiting = 1 << 20

  init(store: Store, options: ImportOptions) {
    self.store = store
    self.options = options
    // An escape sequence takes six bytes.
    lines = LineSplitter(limit: store.configuration.valueLimit * 6 + 1 << 20)
    writer = TurnWriter(store, hold: options.holdTime, most: Self.mostWaiting)
    result.isDryRun = options.isDryRun
  }

  /// Takes the next bytes, split anywhere.
  ///
  /// - Throws: `notAnExport` when the first line is wrong; `cancelled`; or the error of the file.
  ///   Records imported until then stay.
  public mutating func take(_ bytes: ArraySlice<UInt8>) async throws(StoreError) {
    for line in lines.take(bytes) { try await take(line) }
  }

  /// Takes the last line, and returns once everything is durable.
  public mutating func finish() async throws(StoreError) -> ImportResult {
    if let line = lines.finish() { try await take(line) }
    guard hasHeader else { throw refusal(of: "it is empty") }
    try await flush()
    if result.records > 0, !options.isDryRun {
      try await store.queue.run { [store, question] () throws(StoreError) in
        try store.storage.settleImport(question)
      }
    }
    return result
  }

  private mutating func take(_ line: LineSplitter.Line) async throws(StoreError) {
    guard hasHeader else {
      try checkHeader(line.bytes ?? [])
      hasHeader = true
      return
    }
    if let bytes = line.bytes, bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return }
    result.records += 1
    guard let bytes = line.bytes else {
      return refuse(line.number, nil, "it is too long for any value that the store accepts")
    }
    do throws(ExportedRecord.Problem) {
      try await add(ExportedRecord(line: bytes), line.number)
    } catch {
      refuse(line.number, nil, error.words)
    }
    if waiting.count >= Self.mostWaiting || waitingBytes >= Self.mostBytesWaiting {
      try await flush()
    }
  }

  private func checkHeader(_ line: [UInt8]) throws(StoreError) {
    do throws(ExportedRecord.Problem) {
      var fields = try ExportFields(line)
      guard try fields.text("format") == ExportedRecord.format else {
        throw ExportedRecord.Problem(words: "another format is named")
      }
      let version = try fields.integer("version")
      guard version == Int64(ExportedRecord.formatVersion) else {
        throw ExportedRecord.Problem(
          words: "this program reads version \(ExportedRecord.formatVersion) of the format")
      }
    } catch {
      throw refusal(of: "line 1: \(error.words)")
    }
  }

  private func refusal(of words: String) -> StoreError {
    StoreError(.notAnExport(words), .import, path: store.path)
  }

  /// Queues a record for writing, unless its value is refused.
  private mutating func add(_ record: ExportedRecord, _ line: Int) async {
    var record = record
    if let value = record.content.value {
      let limit = store.configuration.valueLimit
      guard value.count <= limit else {
        return refuse(
          line, record,
          "the value has \(value.count) bytes, more than the limit of \(ByteCount.words(limit))",
          isTooLarge: true)
      }
      if let rules = options.rules {
        do throws(StoreError) {
          record.content.value = try await rules.admitted(value, for: record.content.key)
        } catch {
          return refuse(line, record, error.code.cause, error)
        }
      }
    }
    waiting.append(record)
    waitingBytes += record.content.value?.count ?? 0
  }

  private mutating func refuse(
    _ line: Int, _ record: ExportedRecord?, _ reason: String, _ error: StoreError? = nil,
    isTooLarge: Bool = false
  ) {
    result.refused += 1
    let report = if case .refused(let report)? = error?.code { report } else { nil as Report? }
    options.refused?(
      ImportRefusal(
        line: line, collection: record?.content.collection, key: record?.content.key,
        reason: reason, report: report, isTooLarge: isTooLarge))
  }

  // MARK: Writing

  private mutating func flush() async throws(StoreError) {
    var left = waiting[...]
    while !left.isEmpty {
      guard !Task.isCancelled else { throw StoreError(.cancelled, .import, path: store.path) }
      let work = try await write(left)
      left = left.dropFirst(work.done)
      result.imported += work.changed
      result.pending += work.pending
      result.kept += work.done - work.changed - work.pending
      result.bytes += work.bytes
    }
    (waiting, waitingBytes) = ([], 0)
  }

  private mutating func write(
    _ records: ArraySlice<ExportedRecord>
  ) async throws(StoreError) -> Database.Work {
    let now = store.now()
    guard !options.isDryRun else {
      return try await store.queue.run { [store, options] () throws(StoreError) in
        try store.storage.weigh(Array(records), replaces: options.replaces, now: now)
      }
    }
    return try await writer.write { [store, options, question] () throws(StoreError) in
      try store.storage.importRecords(
        records, as: question, replaces: options.replaces, within: options.holdTime, now: now)
    }
  }
}

extension Store {
  /// Imports the records that ``exporting(collection:)`` wrote, with everything that their
  /// freshness depends on, unchanged.
  ///
  /// ```swift
  /// var import = store.importer()
  /// for try await chunk in chunks { try await import.take(chunk[...]) }
  /// let result = try await import.finish()
  /// ```
  ///
  /// Writes in turns of some milliseconds, as a sweep does; other writers continue. Every valid
  /// line is imported, whatever is wrong with others, which are reported by their numbers. A record
  /// with a local write is never overwritten; a mark set here after a record's last update
  /// elsewhere makes the record stale here, too, marks by tag, prefix or collection until a sweep
  /// has turned them into marks of the records that were here then. A running fetch of a key
  /// continues, and its result is newer. Another import of the same lines completes an interrupted
  /// one.
  public func importer(_ options: ImportOptions = ImportOptions()) -> StoreImport {
    StoreImport(store: self, options: options)
  }
}
