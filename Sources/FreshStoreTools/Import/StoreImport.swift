public import FreshStore
internal import Platform
public import Rules

/// Imports the output of an export, in pieces; see `Store.importer(_:)`.
public struct StoreImport {
  /// The result so far.
  public private(set) var result = ImportResult()

  private let store: Store
  /// The name of the import's lease.
  let question = "import:" + String(UInt64.random(in: .min ... .max), radix: 36)
  private let options: ImportOptions
  private var lines: LineSplitter
  private var writer: TurnWriter
  private var waiting: [ExportedRecord] = []
  private var waitingBytes = 0
  private var hasHeader = false

  /// The most records held in memory.
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
  /// - Throws: `notAnExport` when the first line is wrong; `cancelled`; or the error of the file. Records imported
  ///   until then stay.
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
  /// Imports the records that ``exporting(collection:)`` wrote, with everything that their freshness depends on,
  /// unchanged.
  ///
  /// ```swift
  /// var import = store.importer()
  /// for try await chunk in chunks { try await import.take(chunk[...]) }
  /// let result = try await import.finish()
  /// ```
  ///
  /// The import writes in turns of some milliseconds, as a sweep does; other writers continue. Every valid line is
  /// imported; invalid lines are reported by their numbers. Another import of the same lines completes an interrupted
  /// one.
  ///
  /// A record with a local write is never overwritten. A mark set in this store after a record's last update
  /// elsewhere makes the imported record stale, too. A mark by tag, prefix or collection does so until a sweep has
  /// turned it into marks of the records that were here then. A running fetch of a key continues, and its result is
  /// newer.
  public func importer(_ options: ImportOptions = ImportOptions()) -> StoreImport {
    StoreImport(store: self, options: options)
  }
}

/// The options of an import.
public struct ImportOptions: Sendable {
  /// True to replace existing records, whichever copy is newer. Otherwise the copy with the later last update stays,
  /// and of two equally old copies the existing one.
  public var replaces = false
  /// Counts the records to import and writes nothing.
  public var isDryRun = false
  /// The collection whose rules the values must pass, whatever its name; `nil` for no rules. Values are stored in the
  /// form that its schema's steps produce.
  public var rules: RecordCollection<[UInt8]>?
  /// The target time for which one write transaction blocks other writers.
  package var holdTime = Duration.milliseconds(2)
  /// Called for every line that is refused.
  public var refused: (@Sendable (ImportRefusal) -> Void)?

  /// The defaults: the newer copy stays, and every value is imported.
  public init() {}
}

/// The result of an import.
public struct ImportResult: Sendable, Hashable, Codable {
  /// Records read.
  public var records = 0
  /// Records stored.
  public var imported = 0
  /// Records left unchanged, because the existing copy is as new or newer.
  public var kept = 0
  /// Records left unchanged, because their local write waits for its source.
  public var pending = 0
  /// Lines refused.
  public var refused = 0
  /// Bytes of the values stored.
  public var bytes = 0
  /// True when nothing was written: records were only counted.
  public var isDryRun = false

  /// An empty result.
  package init() {}
}

/// A line that was not imported.
public struct ImportRefusal: Sendable {
  /// Its number, counted from 1.
  public let line: Int
  /// The collection, if the line named one.
  public let collection: String?
  /// The key, if the line named one.
  public let key: String?
  /// The problem, in words.
  public let reason: String
  /// The rules' report, if they refused its value.
  public let report: Report?
  /// True for a value beyond the limit of the store.
  package let isTooLarge: Bool
}

/// Splits bytes that arrive in pieces into lines, and holds no more than one line of them.
struct LineSplitter {
  /// A line without its end; `nil` for one that exceeds the limit.
  typealias Line = (number: Int, bytes: [UInt8]?)

  /// The longest line.
  let limit: Int
  private var unfinished: [UInt8] = []
  private var isTooLong = false
  private var number = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// The lines completed by `bytes`.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var (lines, rest) = ([Line](), bytes)
    while let last = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(rest[..<last])
      lines.append(end())
      rest = rest[(last + 1)...]
    }
    add(rest)
    return lines
  }

  /// The last line if it has no LF; `nil` when it is empty.
  mutating func finish() -> Line? {
    unfinished.isEmpty && !isTooLong ? nil : end()
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong else { return }
    isTooLong = unfinished.count + bytes.count > limit
    if isTooLong { unfinished = [] } else { unfinished += bytes }
  }

  private mutating func end() -> Line {
    defer { (unfinished, isTooLong) = ([], false) }
    number += 1
    if unfinished.last == UInt8(ascii: "\r") { unfinished.removeLast() }
    return (number, isTooLong ? nil : unfinished)
  }
}
