/// The version of the Internet Protocol.
public enum IPVersion: String, Sendable, Hashable, Codable, CaseIterable {
  /// Version 4.
  case v4
  /// Version 6.
  case v6
  /// Either.
  case any

  func accepts(_ text: String, network: Bool) -> Bool {
    (self != .v6 && Self.accepts(text, network ? 32 : nil) { $0.takeIPv4() })
      || (self != .v4 && Self.accepts(text, network ? 128 : nil) { $0.takeIPv6() })
  }

  private static func accepts(
    _ text: String, _ bits: Int?, _ takeAddress: (inout TextCursor) -> Bool
  ) -> Bool {
    var cursor = TextCursor(text)
    guard takeAddress(&cursor) else { return false }
    if let bits, !cursor.takePrefixLength(upTo: bits) { return false }
    return cursor.isAtEnd
  }
}
