/// Bodies in the gzip format (RFC 1952), made without a compressor.
public enum Gzip {
  /// The bytes as they are, in stored blocks (RFC 1951 section 3.2.4).
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var deflated: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      deflated.append(rest.isEmpty ? 1 : 0)
      deflated += littleEndian(length) + littleEndian(~length) + block
    } while !rest.isEmpty
    return wrapped(deflated, checksum: checksum(bytes), count: bytes.count)
  }

  /// At least this many zero bytes at 158 to one: a zero, then copies of the 258 bytes before, in
  /// one block of fixed codes (RFC 1951 section 3.2.6).
  public static func zeros(atLeast count: Int) -> [UInt8] {
    let copies = (max(1, count) - 1 + 257) / 258
    var writer = BitWriter()
    writer.append(0b1, count: 1)  // The last block.
    writer.append(0b01, count: 2)  // Fixed codes, low bit first.
    writer.append(code: 0b0011_0000, count: 8)  // The literal 0.
    for _ in 0..<copies {
      writer.append(code: 0b1100_0101, count: 8)  // Length 258.
      writer.append(code: 0, count: 5)  // Distance 1.
    }
    writer.append(code: 0, count: 7)  // The end of the block.
    let total = 1 + copies * 258
    let zeros = repeatElement(UInt8(0), count: total)
    return wrapped(writer.finished, checksum: checksum(zeros), count: total)
  }

  private static func wrapped(_ deflated: [UInt8], checksum: UInt32, count: Int) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + deflated + littleEndian(checksum)
      + littleEndian(UInt32(truncatingIfNeeded: count))
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: 0, to: number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// CRC-32 (RFC 1952 section 8).
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { remainder, byte in
      (remainder >> 8) ^ table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)]
    }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1
    }
  }
}
