internal import FreshStore
internal import Rules
internal import Strategies

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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

  /// False for bytes that JSON would write in six characters each, which no text holds.
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
