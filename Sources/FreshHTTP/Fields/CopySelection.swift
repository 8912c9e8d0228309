/// Which requests a copy answers: those that select the same variant (RFC 9111 section 4.1), made with
/// the same credentials (section 3.5, which this store applies to itself as well: one user may have
/// several accounts).
struct CopySelection: Hashable {
  /// Whose requests a copy answers.
  enum Asker: Hashable {
    /// Everybody's.
    case anyone
    /// Those of whoever shows these credentials, or like the first one none. Of the credentials a
    /// fingerprint is kept, never a value.
    case bearer(fingerprint: String)
  }

  let variant: VarySelection
  let asker: Asker

  init(_ variant: VarySelection, _ asker: Asker) {
    self.variant = variant
    self.asker = asker
  }

  /// Reads ``encoded`` back. What no fetch brought, such as an imported value, answers everybody; text
  /// that is no such encoding answers nobody.
  init(encoded: String?) {
    guard let encoded, let marker = encoded.firstRange(of: Self.marker) else {
      self.init(VarySelection(encoded: encoded), .anyone)
      return
    }
    let variant = encoded[..<marker.lowerBound]
    self.init(
      VarySelection(encoded: variant.isEmpty ? nil : String(variant)),
      .bearer(fingerprint: String(encoded[marker.upperBound...])))
  }

  /// One line to store: the variant, then the asker where it matters who asks.
  var encoded: String? {
    switch asker {
    case .anyone: variant.encoded
    case .bearer(let fingerprint): "\(variant.encoded ?? "")\(Self.marker)\(fingerprint)"
    }
  }

  /// True when the copy may answer what this configuration asks.
  func matches(_ configuration: HTTPConfiguration) -> Bool {
    variant.matches(configuration.requestFields(withCredentials: true))
      && (asker == .anyone || asker == configuration.asker || configuration.sharesCopies)
  }

  /// Neither a token nor a fingerprint holds a semicolon.
  private static let marker = ";by="
}

extension HTTPConfiguration {
  /// Who asks, as far as the headers tell.
  var asker: CopySelection.Asker {
    guard !sharesCopies else { return .anyone }
    let names = personalFields.sorted()
    guard !names.isEmpty else { return .bearer(fingerprint: "nobody") }
    var fingerprint = Fingerprint()
    for name in names {
      fingerprint.add(name)
      fingerprint.add(headers.combined(name) ?? "")
    }
    return .bearer(fingerprint: fingerprint.description)
  }

  /// The fields of a request that may tell who asks, in lower case.
  var personalFields: Set<String> {
    Set(headers.lines.map { FieldSyntax.lowercased($0.name) }).subtracting(Self.impersonalFields)
  }

  /// What a request says in these fields is not who asks; all others may be an account, a key or a
  /// session. Where they select a variant, `Vary` tells.
  private static let impersonalFields: Set = [
    "accept", "accept-charset", "accept-language", "baggage", "cache-control", "dnt", "pragma",
    "prefer", "priority", "referer", "traceparent", "tracestate", "user-agent", "x-request-id",
  ]
}
