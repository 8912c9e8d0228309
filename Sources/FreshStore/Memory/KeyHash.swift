/// Hashes keys for the tables in memory: folded multiplications under a secret of the process, so
/// that an attacker who chooses keys cannot choose which of them collide.
struct KeyHash: Sendable {
  private let first = UInt64.random(in: .min ... .max)
  private let second = UInt64.random(in: .min ... .max)
  private let third = UInt64.random(in: .min ... .max)

  /// The hash of a key's bytes in a collection.
  @inline(__always)
  func of(_ key: String, in collection: UInt32) -> UInt64 {
    var key = key
    return key.withUTF8 { unsafe of(UnsafeRawBufferPointer($0), in: collection) }
  }

  @inline(__always)
  private func of(_ bytes: UnsafeRawBufferPointer, in collection: UInt32) -> UInt64 {
    var state = first ^ UInt64(bytes.count) ^ UInt64(collection) << 32
    var offset = 0
    while bytes.count - offset > 16 {
      state = Self.fold(
        unsafe load(bytes, offset) ^ second, unsafe load(bytes, offset + 8) ^ state)
      offset += 16
    }
    let (low, high) = unsafe rest(bytes, offset)
    return Self.fold(Self.fold(low ^ second, high ^ state), third)
  }

  /// Up to 16 bytes, as two words that overlap for fewer bytes.
  @inline(__always)
  private func rest(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> (UInt64, UInt64) {
    let count = bytes.count - offset
    if count >= 8 {
      return unsafe (load(bytes, offset), load(bytes, bytes.count - 8))
    }
    if count >= 4 {
      return unsafe (
        UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)),
        UInt64(bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
      )
    }
    guard count > 0 else { return (0, 0) }
    return unsafe (
      UInt64(bytes[offset]) << 8 | UInt64(bytes[offset + count / 2]),
      UInt64(bytes[bytes.count - 1])
    )
  }

  @inline(__always)
  private func load(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (high, low) = one.multipliedFullWidth(by: other)
    return high ^ low
  }
}
