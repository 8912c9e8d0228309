internal import FreshHTTP

/// Who asks, and for what, as far as an origin is told.
extension GatewayRequest {
  /// True where two requests are one to their origin: equal in every field that is sent on, and of the same address where
  /// that is told. No name is harmless: whoever has an answer validated each time need not say by what it varies, as no
  /// other request is ever given it.
  func isAsked(like other: GatewayRequest) -> Bool {
    told == other.told
      && ForwardedFields.addresses(of: client) == ForwardedFields.addresses(of: other.client)
  }

  private var told: [String: [String]] {
    var told: [String: [String]] = [:]
    for line in fields.lines {
      let name = FieldSyntax.lowercased(line.name)
      guard !Self.ofCaches.contains(name) else { continue }
      told[name, default: []].append(line.value)
    }
    return told
  }

  /// By what caches are told how fresh the answer has to be, and which one is there already.
  private static let ofCaches: Set = [
    "cache-control", "if-modified-since", "if-none-match", "pragma",
  ]
}
