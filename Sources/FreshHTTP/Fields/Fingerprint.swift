/// A 64-bit FNV-1a hash of text, for equality checks between a stored row and a request.
///
/// Not a defence against an attacker: it keeps header values and queries out of the stored row
/// where only their equality matters.
package struct Fingerprint: Hashable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The fingerprint of nothing.
  package init() {}

  /// Adds text, and its end, so that neighbours do not run together.
  package mutating func add(_ text: String) { add(text.utf8) }

  /// Adds bytes, and their end.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
    add(0xFF)
  }

  /// The value in 16 hexadecimal digits.
  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}
