internal import FreshStore
internal import Rules
internal import Strategies

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ExportedRecord {
  /// The reason why a line is refused.
  struct Problem: Error {
    let words: String
  }

  /// Reads a line. Nothing is guessed or ignored: the record's freshness may depend on an unknown
  /// field.
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
    // What is written as bytes here is read as bytes.
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
