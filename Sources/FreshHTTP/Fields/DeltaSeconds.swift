/// A non-negative number of seconds as header fields carry it (RFC 9111 section 1.2.2).
package struct DeltaSeconds: Sendable, Hashable {
  /// The value of every greater number.
  package static let greatest: Int64 = 2_147_483_648

  /// The number.
  package let seconds: Int64

  /// Reads one or more digits and nothing else; `nil` for anything that is not such a number.
  package init?(_ text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(FieldSyntax.isDigit) else { return nil }
    // Clamped after every digit, so that no length of digits overflows.
    seconds = text.utf8.reduce(0) { min(Self.greatest, $0 * 10 + Int64($1 - UInt8(ascii: "0"))) }
  }

  /// The number as a duration.
  package var duration: Duration { .seconds(seconds) }
}
