internal import Platform

/// The requests that a copy answers: those that select the same variant (RFC 9111 section 4.1) and were made
/// with the same credentials.
///
/// Section 3.5 asks the latter of shared caches only. This store applies it to itself, because one user may
/// have several accounts.
struct CopySelection: Hashable {
  /// The callers whose requests a copy answers.
  enum Asker: Hashable {
    /// Every caller.
    case anyone
    /// A caller with these credentials. A caller without credentials has a fingerprint, too. Only the
    /// fingerprint is kept, never a value.
    case bearer(fingerprint: String)
  }

  let variant: VarySelection
  let asker: Asker
  /// The fingerprint of the request's socket; `nil` for the network. Behind a socket the same address is
  /// another source.
  let socket: String?

  init(_ variant: VarySelection, _ asker: Asker, socket: String? = nil) {
    self.variant = variant
    self.asker = asker
    self.socket = socket
  }

  /// Reads ``encoded`` back. A value that no fetch brought, such as an imported one, answers every caller.
  /// Text that is no such encoding answers none.
  init(encoded: String?) {
    let (rest, socket) = Self.split(encoded ?? "", at: Self.socketMarker)
    let (variant, fingerprint) = Self.split(rest, at: Self.askerMarker)
    self.init(
      VarySelection(encoded: variant.isEmpty ? nil : variant),
      fingerprint.map { .bearer(fingerprint: $0) } ?? .anyone, socket: socket)
  }

  private static func split(_ text: String, at marker: String) -> (String, behind: String?) {
    guard let range = text.firstRange(of: marker) else { return (text, nil) }
    return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
  }

  /// One line to store: the variant, then the caller and the socket where they matter.
  var encoded: String? {
    var text = variant.encoded ?? ""
    if case .bearer(let fingerprint) = asker { text += Self.askerMarker + fingerprint }
    if let socket { text += Self.socketMarker + socket }
    return text.isEmpty ? nil : text
  }

  /// True when the copy may answer requests of this configuration.
  func matches(_ configuration: HTTPConfiguration) -> Bool {
    variant.matches(configuration.selectingFields)
      && (asker == .anyone || asker == configuration.asker || configuration.sharesCopies)
      && socket == configuration.socketFingerprint
  }

  // Neither a token nor a fingerprint holds a semicolon.
  private static let askerMarker = ";by="
  private static let socketMarker = ";over="
}

extension HTTPConfiguration {
  /// The ``FetchDetails/variant`` of a value that the caller has written, or has received in answer to a
  /// request that selects nothing else.
  var variant: String? { CopySelection(.every, asker, socket: socketFingerprint).encoded }

  /// The fingerprint of the socket; `nil` for the network.
  var socketFingerprint: String? {
    socketPath.map { Fingerprint.text(of: PathName.absolute($0).utf8) }
  }

  /// The caller, as far as the headers, the credentials and the certificate identify one.
  var asker: CopySelection.Asker {
    guard !sharesCopies else { return .anyone }
    let names = personalFields.sorted()
    guard !names.isEmpty || clientCertificate != nil else { return .bearer(fingerprint: "nobody") }
    var fingerprint = Fingerprint()
    if let clientCertificate {
      // This name is no token, so no field has it.
      fingerprint.add("client certificate")
      fingerprint.add(clientCertificate.fingerprint)
    }
    if let credentials {
      // This name is no token either.
      fingerprint.add("signed in account")
      fingerprint.add(credentials.account)
    }
    for name in names {
      fingerprint.add(name)
      fingerprint.add(headers.combined(name) ?? "")
    }
    return .bearer(fingerprint: fingerprint.description)
  }

  /// The fields of a request that may identify the caller, in lower case.
  var personalFields: Set<String> {
    let names = headers.lines.map { FieldSyntax.lowercased($0.name) }
    return Set(names + (credentials == nil ? [] : ["authorization"]))
      .subtracting(Self.impersonalFields)
  }

  /// These fields do not identify the caller. Any other may be an account, a key or a session. `Vary` names
  /// these fields where they select a variant.
  private static let impersonalFields: Set = [
    "accept", "accept-charset", "accept-language", "baggage", "cache-control", "dnt", "pragma",
    "prefer", "priority", "referer", "traceparent", "tracestate", "user-agent", "x-request-id",
  ]
}
