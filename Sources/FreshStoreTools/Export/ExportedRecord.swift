internal import FreshStore
internal import Rules
internal import Strategies

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A record in transit between two stores.
///
/// It has everything that its freshness depends on, and nothing that belongs to one file only, such as the failures
/// of its fetches.
struct ExportedRecord: Sendable {
  var content: RecordContent
  var kind: StoredRecord.Kind
  var mark: Mark?
  var tags: [String]
  var isPinned: Bool

  struct Mark: Sendable {
    var at: Timestamp
    var reason: String
    /// False for a mark that only repeats a verdict.
    var isExplicit: Bool
  }
}

extension ExportedRecord {
  /// The exported form of a record, or of the known state of its source.
  ///
  /// - Parameter covering: The newest invalidation by tag, prefix or collection that covers it.
  init(
    _ record: StoredRecord, tags: [String], isPinned: Bool, covering: StoredRecord.Mark?,
    now: ClockReading
  ) {
    content = record.content
    content.lastUpdate = record.statedLastUpdate(at: now)
    kind = record.kind
    let own = record.mark
    let mark = own.flatMap { $0.epoch > 0 ? $0 : nil } ?? covering ?? own
    self.mark = mark.map { Mark(at: $0.at, reason: $0.reason, isExplicit: $0.epoch > 0) }
    self.tags = tags
    self.isPinned = isPinned
  }
}

extension StoredRecord {
  /// The last update for another machine: as stored, unless the wall clock was set since.
  ///
  /// The two clocks never agree to the millisecond, and an unchanged record must read the same every time.
  func statedLastUpdate(at now: ClockReading) -> Timestamp? {
    guard let written = content.lastUpdate, let today = lastUpdate(at: now) else { return nil }
    let step = today.duration(since: written)
    return (Duration.seconds(-1)...Duration.seconds(1)).contains(step) ? written : today
  }
}

extension ExportedRecord {
  /// The name and the version of the format, as on the first line.
  static let format = "freshstore-export"
  static let formatVersion = 1

  /// The first line.
  static var header: [UInt8] {
    Array(#"{"format":"\#(format)","version":\#(formatVersion)}"#.utf8) + [UInt8(ascii: "\n")]
  }

  /// The record as one line. Equal records make equal bytes.
  var line: [UInt8] {
    var object = JSONObject()
    object["collection"] = .string(content.collection)
    object["key"] = .string(content.key)
    writeValue(to: &object)
    object["lastUpdate"] = content.lastUpdate.map { .number(JSONNumber($0.millisecondsSinceEpoch)) }
    object["expiry"] = expiry
    object["stale"] = mark.map { mark in
      [
        "at": .number(JSONNumber(mark.at.millisecondsSinceEpoch)), "reason": .string(mark.reason),
        "explicit": .boolean(mark.isExplicit),
      ]
    }
    for (field, text) in texts { object[field] = text.map(JSONValue.string) }
    for (field, span) in spans {
      object[field] = span.map { .number(JSONNumber($0.wholeMilliseconds)) }
    }
    if content.mustRevalidate { object["mustRevalidate"] = true }
    if content.contentVersion != 0 {
      object["contentVersion"] = .number(JSONNumber(content.contentVersion))
    }
    object["fetchCost"] = content.fetchCost.map { .number(JSONNumber($0)) }
    if !tags.isEmpty { object["tags"] = .array(tags.map(JSONValue.string)) }
    if isPinned { object["pinned"] = true }
    if content.isOnDemand { object["onDemand"] = true }
    return JSONValue.object(object).bytes() + [UInt8(ascii: "\n")]
  }

  private func writeValue(to object: inout JSONObject) {
    guard kind == .value else {
      object["absent"] = true
      return
    }
    let value = content.value ?? []
    if Self.isText(value), let text = String(validating: value, as: UTF8.self) {
      object["text"] = .string(text)
    } else {
      object["base64"] = .string(Data(value).base64EncodedString())
    }
  }

  /// False for bytes that no text holds, and that JSON would write in six characters each.
  private static func isText(_ value: [UInt8]) -> Bool {
    value.allSatisfy { $0 >= 0x20 || (0x08...0x0D).contains($0) || $0 == 0x1B }
  }

  private var expiry: JSONValue? {
    guard let stored = content.expiry.stored else { return nil }
    return content.expiry == .never ? "never" : .number(JSONNumber(stored))
  }

  private var texts: [(String, String?)] {
    [
      ("entityTag", content.validators.entityTag),
      ("lastModified", content.validators.lastModified), ("source", content.source),
      ("address", content.address),
      ("contentType", content.contentType), ("codec", content.codec.isEmpty ? nil : content.codec),
      ("variant", content.variant), ("metadata", content.metadata),
    ]
  }

  private var spans: [(String, Duration?)] {
    [
      ("hardEnd", content.hardEnd),
      ("graceWhileRevalidating", content.graceWhileRevalidating),
      ("graceOnError", content.graceOnError),
    ]
  }
}

extension ExportedRecord {
  /// The reason why a line is refused.
  struct Problem: Error {
    let words: String
  }

  /// Reads a line. Nothing is guessed or ignored: the record's freshness may depend on an unknown field.
  package init(line: [UInt8]) throws(Problem) {
    var fields = try ExportFields(line)
    content = RecordContent(
      collection: try fields.text("collection"), key: try fields.text("key"), expiry: .unstated)
    guard (1...255).contains(content.collection.utf8.count) else {
      throw Problem(words: "collection: a collection's name is 1 to 255 bytes of UTF-8")
    }
    guard (1...1024).contains(content.key.utf8.count) else {
      throw Problem(words: "key: a key is 1 to 1,024 bytes of UTF-8")
    }
    (content.value, kind) = try Self.value(&fields)
    mark = try Self.mark(&fields)
    tags = try fields.texts("tags")
    isPinned = try fields.truth("pinned")
    if try fields.truth("onDemand") { content.isOnDemand = true }
    content.lastUpdate = try fields.integer("lastUpdate")
      .map(Timestamp.init(millisecondsSinceEpoch:))
    content.expiry = try Self.expiry(&fields)
    content.validators = Validators(
      entityTag: try fields.optionalText("entityTag"),
      lastModified: try fields.optionalText("lastModified"))
    content.source = try fields.optionalText("source")
    content.address = try fields.optionalText("address")
    content.contentType = try fields.optionalText("contentType")
    // A value that is written without a codec is read as bytes.
    content.codec = try fields.optionalText("codec") ?? (kind == .value ? "bytes" : "")
    content.variant = try fields.optionalText("variant")
    content.metadata = try fields.optionalText("metadata")
    content.hardEnd = try fields.integer("hardEnd").map { .milliseconds($0) }
    content.graceWhileRevalidating = try fields.integer("graceWhileRevalidating")
      .map { .milliseconds($0) }
    content.graceOnError = try fields.integer("graceOnError").map { .milliseconds($0) }
    content.mustRevalidate = try fields.truth("mustRevalidate")
    content.contentVersion = try fields.integer("contentVersion") ?? 0
    content.fetchCost = try fields.integer("fetchCost")
    try fields.end()
  }

  private static func value(
    _ fields: inout ExportFields
  ) throws(Problem) -> ([UInt8]?, StoredRecord.Kind) {
    let text = try fields.optionalText("text")
    let encoded = try fields.optionalText("base64")
    let isAbsent = try fields.truth("absent")
    switch (text, encoded, isAbsent) {
    case (let text?, nil, false): return (Array(text.utf8), .value)
    case (nil, let encoded?, false):
      guard let data = Data(base64Encoded: encoded) else {
        throw Problem(words: "base64: it is not base64 (RFC 4648 section 4)")
      }
      return ([UInt8](data), .value)
    case (nil, nil, true): return (nil, .absent)
    default: throw Problem(words: "it must have one of text, base64 and \"absent\":true")
    }
  }

  private static func expiry(_ fields: inout ExportFields) throws(Problem) -> Expiry {
    guard let value = fields.take("expiry") else { return .unstated }
    if case .string("never") = value { return .never }
    guard case .number(let number) = value, let span = number.integer(as: Int64.self), span >= 0
    else { throw Problem(words: "expiry: it must be milliseconds, 0 or more, or \"never\"") }
    return Expiry(stored: span)
  }

  private static func mark(_ fields: inout ExportFields) throws(Problem) -> Mark? {
    guard let value = fields.take("stale") else { return nil }
    guard case .object(let object) = value else {
      throw Problem(words: "stale: it must be an object")
    }
    var parts = ExportFields(object, within: "stale.")
    guard let at = try parts.integer("at") else {
      throw Problem(words: "stale.at: it is missing")
    }
    let mark = Mark(
      at: Timestamp(millisecondsSinceEpoch: at), reason: try parts.text("reason"),
      isExplicit: try parts.truth("explicit"))
    try parts.end()
    return mark
  }
}
