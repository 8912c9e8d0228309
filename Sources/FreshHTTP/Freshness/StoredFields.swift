internal import FreshStore

/// The response fields that are stored beside a value, in one text column. A later 304 can update them (RFC
/// 9111 section 3.2).
///
/// The validators are not among them: the store keeps them itself.
struct StoredFields: Hashable {
  /// A fingerprint of the address from which the response came: validators are sent nowhere else (section 4.3.1).
  let address: String?
  /// A fingerprint of the address that was requested, if redirects led to another one; else `nil`.
  let asked: String?
  /// The write of the stored value, while no fetch has seen its result; else `nil`.
  let unseen: UnseenWrite?
  let fields: HeaderFields

  /// The fields of a response that are kept.
  init(
    address: HTTPAddress, asked: HTTPAddress? = nil, response: HeaderFields,
    unseen: UnseenWrite? = nil
  ) {
    self.unseen = unseen
    self.address = Self.fingerprint(address)
    self.asked = asked.flatMap { $0 == address ? nil : Self.fingerprint($0) }
    var kept = HeaderFields()
    for name in Self.names {
      if let value = Self.value(of: name, in: response), FieldSyntax.isFieldValue(value) {
        kept.append(name, value)
      }
    }
    // A field that `no-cache="…"` names must not be reused without revalidation (section 5.2.2.4). Only the
    // content type is ever reused.
    if CacheControl(response.combined("Cache-Control")).noCacheFields.contains("content-type") {
      kept.set("content-type", nil)
    }
    fields = kept
  }

  /// Reads ``encoded`` back; lines that are no fields are left out.
  init(encoded: String?) {
    var (address, asked): (String?, String?)
    var unseen: UnseenWrite?
    var kept = HeaderFields()
    for line in (encoded ?? "").split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = String(line[..<colon])
      let value = String(line[line.index(after: colon)...])
      if name == Self.addressName {
        address = FieldSyntax.trimmed(value)
      } else if name == Self.askedName {
        asked = FieldSyntax.trimmed(value)
      } else if name == Self.unseenName {
        unseen = UnseenWrite(encoded: FieldSyntax.trimmed(value))
      } else if Self.names.contains(name) {
        kept.append(name, value)
      }
    }
    self.address = address
    self.asked = asked
    self.unseen = unseen
    fields = kept
  }

  /// One line `name: value` for each field.
  var encoded: String {
    let lines = fields.lines.map { "\($0.name): \($0.value)" }
    let asked = asked.map { ["\(Self.askedName): \($0)"] } ?? []
    let unseen = unseen.map { ["\(Self.unseenName): \($0.encoded)"] } ?? []
    return (["\(Self.addressName): \(address ?? "")"] + asked + unseen + lines)
      .joined(separator: "\n")
  }

  /// True when a request for the address was redirected to the address of the response.
  func isFound(by address: HTTPAddress) -> Bool { asked == Self.fingerprint(address) }

  func isFrom(_ address: HTTPAddress) -> Bool {
    self.address == Self.fingerprint(address)
  }

  /// The stored fields as a 304 changes them: each field of the 304 replaces the stored one. The stored date
  /// and age describe the old exchange and are dropped. The content type of the 304 is ignored: it would
  /// describe a body that the 304 does not have.
  func updated(by notModified: HeaderFields, validators: Validators) -> HeaderFields {
    var merged = fields
    merged.set("date", nil)
    merged.set("age", nil)
    merged.set("etag", validators.entityTag)
    merged.set("last-modified", validators.lastModified)
    for name in Self.names + ["etag", "last-modified"] where name != "content-type" {
      if let value = Self.value(of: name, in: notModified) {
        merged.set(name, value)
      }
    }
    return merged
  }

  /// The value of a list is joined; of fields that may occur once only the first counts.
  private static func value(of name: String, in response: HeaderFields) -> String? {
    name == "cache-control" || name == "vary" ? response.combined(name) : response.first(name)
  }

  private static func fingerprint(_ address: HTTPAddress) -> String {
    Fingerprint.text(of: address.text.utf8)
  }

  private static let addressName = "address"
  private static let askedName = "asked"
  private static let unseenName = "unseen"
  /// Date and age are stored for people: they show a wrong server clock.
  private static let names = [
    "age", "cache-control", "content-type", "date", "expires", "vary",
  ]
}

/// A write that its source has accepted without stating the version of the result. No fetch has seen that
/// version since.
struct UnseenWrite: Hashable {
  /// The version that the source may still hold, if it has only promised the write: its tag, or else its date;
  /// ``absence`` for no object. `nil` if that version is unknown, or if the source has stored the write.
  let former: String?

  /// No tag and no date has this form.
  static let absence = "*"

  /// True when the source may still hold this version.
  func mayFollow(_ validators: Validators) -> Bool {
    former != nil && former == Self.version(of: validators)
  }

  /// The version as one text; `nil` for none.
  static func version(of validators: Validators) -> String? {
    validators.entityTag ?? validators.lastModified
  }
}

extension UnseenWrite {
  /// The write as one line.
  var encoded: String { former ?? "" }

  /// Reads ``encoded`` back.
  init(encoded: String) {
    former = encoded.isEmpty ? nil : encoded
  }
}
