/// A SHA-256 hash (FIPS 180-4) of texts, cut to 128 bits. Nobody can make two texts with equal digests, so
/// one request cannot pass for another.
///
/// A block of 64 bytes costs about a microsecond.
package struct Digest: Sendable {
  private var bytes: [UInt8] = []

  /// The digest of nothing.
  package init() {}

  /// Adds the length of a text and the text. Without the length, neighbours could run together.
  package mutating func add(_ text: String) {
    let utf8 = text.utf8
    bytes += Self.bigEndian(UInt64(utf8.count))
    bytes += utf8
  }

  /// The value in 32 hexadecimal digits.
  package var description: String {
    let words = Self.hash(bytes).prefix(4)
    return words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The eight words of the hash.
  static func hash(_ message: [UInt8]) -> [UInt32] {
    var padded = message
    padded.append(0x80)
    padded += repeatElement(0, count: (120 - padded.count % 64) % 64)
    padded += bigEndian(UInt64(message.count) &* 8)
    var state = initial
    var schedule = [UInt32](repeating: 0, count: 64)
    for start in stride(from: 0, to: padded.count, by: 64) {
      compress(padded[start..<start + 64], into: &state, &schedule)
    }
    return state
  }

  private static func compress(
    _ block: ArraySlice<UInt8>, into state: inout [UInt32], _ schedule: inout [UInt32]
  ) {
    for index in 0..<16 {
      let word = block[(block.startIndex + index * 4)...].prefix(4)
      schedule[index] = word.reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (schedule[index - 15], schedule[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let chosen = (e & f) ^ (~e & g)
      let first = h &+ mixed &+ chosen &+ constants[index] &+ schedule[index]
      let turned = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let second = turned &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() {
      state[index] = state[index] &+ value
    }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let initial: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

/// A 64-bit FNV-1a hash of text, which compares a stored row with a request.
///
/// It is no defence against an attacker. It keeps header values and queries out of the stored row where only
/// their equality matters.
package struct Fingerprint: Hashable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The fingerprint of nothing.
  package init() {}

  /// The fingerprint of these bytes, as hexadecimal digits.
  static func text(of bytes: some Sequence<UInt8>) -> String {
    var fingerprint = Fingerprint()
    fingerprint.add(bytes)
    return fingerprint.description
  }

  /// Adds text and an end mark. Without the mark, neighbours could run together.
  package mutating func add(_ text: String) { add(text.utf8) }

  /// Adds bytes and an end mark.
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
