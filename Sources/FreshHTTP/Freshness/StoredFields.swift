internal import FreshStore

/// The response fields kept beside a stored value, so that a later 304 can update them
/// (RFC 9111 section 3.2), in a form that fits one text column.
///
/// The validators are not among them: the store keeps those itself.
struct StoredFields: Hashable {
  /// A fingerprint of the address the response came from: validators are sent nowhere else
  /// (section 4.3.1).
  let address: String?
  /// A fingerprint of the address that was asked, where redirects led on from there; else `nil`.
  let asked: String?
  /// Where the stored value was written, and not seen at its source since; else `nil`.
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
    // A field named in `no-cache="…"` must not be reused without asking (section 5.2.2.4); the
    // content type is the only one that is ever reused.
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

  /// One `name: value` a line.
  var encoded: String {
    let lines = fields.lines.map { "\($0.name): \($0.value)" }
    let asked = asked.map { ["\(Self.askedName): \($0)"] } ?? []
    let unseen = unseen.map { ["\(Self.unseenName): \($0.encoded)"] } ?? []
    return (["\(Self.addressName): \(address ?? "")"] + asked + unseen + lines)
      .joined(separator: "\n")
  }

  /// True when a request for the address was redirected to where the response came from.
  func isFound(by address: HTTPAddress) -> Bool { asked == Self.fingerprint(address) }

  func isFrom(_ address: HTTPAddress) -> Bool {
    self.address == Self.fingerprint(address)
  }

  /// The stored response's fields as a 304 changes them: each field the 304 carries replaces the
  /// stored one. The stored date and age are dropped: they describe the old exchange. So is a
  /// content type the 304 states, which would describe the body it does not have.
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

  /// Lists are joined; of fields that may come once only the first counts.
  private static func value(of name: String, in response: HeaderFields) -> String? {
    name == "cache-control" || name == "vary" ? response.combined(name) : response.first(name)
  }

  private static func fingerprint(_ address: HTTPAddress) -> String {
    Fingerprint.text(of: address.text.utf8)
  }

  private static let addressName = "address"
  private static let askedName = "asked"
  private static let unseenName = "unseen"
  /// Date and age are kept for people, to whom they reveal a wrong server clock.
  private static let names = [
    "age", "cache-control", "content-type", "date", "expires", "vary",
  ]
}

/// A write that its source has accepted without the version of the result, which nobody has seen there since.
/// A value of a source that has no versions is none.
struct UnseenWrite: Hashable {
  /// The version that the source may still hold, where it has only promised the write: its tag, or else its
  /// date; ``absence`` for no object, and `nil` where that is unknown, or the source has stored the write.
  let former: String?

  /// No tag is written like this, and no date.
  static let absence = "*"

  /// True when the source may still hold the version.
  func mayFollow(_ validators: Validators) -> Bool {
    former != nil && former == Self.version(of: validators)
  }

  /// The version in one text; `nil` for none.
  static func version(of validators: Validators) -> String? {
    validators.entityTag ?? validators.lastModified
  }
}

extension UnseenWrite {
  /// In one line.
  var encoded: String { former ?? "" }

  /// Reads ``encoded`` back.
  init(encoded: String) {
    former = encoded.isEmpty ? nil : encoded
  }
}
