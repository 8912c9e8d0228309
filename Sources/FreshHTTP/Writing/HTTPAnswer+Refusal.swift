internal import FreshStore

extension HTTPAnswer {
  /// The answer as a refusal of a write: its status, its fields without cookies and credentials, and its
  /// body.
  func refusal(_ reason: String) -> Refusal {
    var headers: [String: String] = [:]
    for line in fields.lines {
      let name = FieldSyntax.lowercased(line.name)
      guard !Self.secretFields.contains(name), headers[name] == nil else { continue }
      headers[name] = fields.combined(line.name)
    }
    return Refusal(
      reason, status: status, headers: headers, body: Array(body.prefix(Refusal.bodyLimit)))
  }

  private static let secretFields: Set<String> = [
    "set-cookie", "authentication-info", "proxy-authentication-info", "www-authenticate",
    "proxy-authenticate",
  ]
}
