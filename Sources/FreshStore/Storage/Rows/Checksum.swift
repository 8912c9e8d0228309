/// A 64-bit checksum over the parts of a row, in order: XXH64 for bytes, one mixing round for
/// numbers (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
///
/// SQLite does not detect a flipped bit in a row. This does: the chance that damage goes unnoticed
/// is 2⁻⁶⁴. It is no defence against deliberate forgery.
struct Checksum {
  private(set) var value: UInt64

  init(seed: UInt64 = 0) {
    value = seed
  }

  /// Adds a number, or its absence.
  mutating func combine(_ number: Int64?) {
    let bits = number.map { UInt64(bitPattern: $0) } ?? 0x6e75_6c6c_6e75_6c6c
    let presence: UInt64 = number == nil ? Self.prime3 : Self.prime4
    value = Self.finished((value ^ (bits &* Self.prime2)) &* Self.prime1 &+ presence)
  }

  /// Adds a text, or its absence.
  mutating func combine(_ text: String?) {
    combine(text.map { Int64($0.utf8.count) })
    guard var text else { return }
    value = text.withUTF8 { unsafe Self.hash(UnsafeRawBufferPointer($0), seed: value) }
  }

  /// Adds bytes, or their absence.
  mutating func combine(_ bytes: [UInt8]?) {
    combine(bytes.map { Int64($0.count) })
    guard let bytes else { return }
    value = unsafe bytes.withUnsafeBytes { unsafe Self.hash($0, seed: value) }
  }

  // MARK: XXH64

  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// XXH64 of `bytes`.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var offset = 0
    var hash: UInt64
    if bytes.count >= 32 {
      (hash, offset) = unsafe stripes(bytes, seed: seed)
    } else {
      hash = seed &+ prime5
    }
    hash &+= UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      hash ^= round(0, unsafe load(bytes, offset, UInt64.self))
      hash = rotated(hash, 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      hash ^= UInt64(unsafe load(bytes, offset, UInt32.self)) &* prime1
      hash = rotated(hash, 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash ^= UInt64(unsafe bytes[offset]) &* prime5
      hash = rotated(hash, 11) &* prime1
      offset += 1
    }
    return finished(hash)
  }

  private static func stripes(
    _ bytes: UnsafeRawBufferPointer, seed: UInt64
  ) -> (hash: UInt64, offset: Int) {
    var lane1 = seed &+ prime1 &+ prime2
    var lane2 = seed &+ prime2
    var lane3 = seed
    var lane4 = seed &- prime1
    var offset = 0
    while offset + 32 <= bytes.count {
      lane1 = round(lane1, unsafe load(bytes, offset, UInt64.self))
      lane2 = round(lane2, unsafe load(bytes, offset + 8, UInt64.self))
      lane3 = round(lane3, unsafe load(bytes, offset + 16, UInt64.self))
      lane4 = round(lane4, unsafe load(bytes, offset + 24, UInt64.self))
      offset += 32
    }
    var hash =
      rotated(lane1, 1) &+ rotated(lane2, 7) &+ rotated(lane3, 12) &+ rotated(lane4, 18)
    for lane in [lane1, lane2, lane3, lane4] {
      hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
    }
    return (hash, offset)
  }

  private static func load<Word: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _: Word.Type
  ) -> Word {
    Word(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Word.self))
  }

  private static func round(_ accumulator: UInt64, _ input: UInt64) -> UInt64 {
    rotated(accumulator &+ input &* prime2, 31) &* prime1
  }

  private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }

  private static func finished(_ hash: UInt64) -> UInt64 {
    var hash = hash
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }
}

/// The checksum of a value that is longer than a block, made from the checksums of its blocks. It is the same
/// whether the value lies in its row or in blocks, and can be computed while the value arrives.
struct ContentSum {
  private var sum = Checksum()
  /// The bytes so far.
  private(set) var size: Int64 = 0
  /// The blocks so far.
  private(set) var blocks = 0

  /// Adds the next block; all but the last are full.
  mutating func add(_ block: ArraySlice<UInt8>) {
    sum.combine(Self.sum(of: block))
    size += Int64(block.count)
    blocks += 1
  }

  /// The checksum of the value, if that has ended.
  var checksum: Int64 {
    var whole = sum
    whole.combine(size)
    return Int64(bitPattern: whole.value)
  }

  /// The checksum that is kept beside a block: it covers the place, too.
  static func checksum(of block: ArraySlice<UInt8>, at place: Int64) -> Int64 {
    var sum = Checksum()
    sum.combine(place)
    sum.combine(Self.sum(of: block))
    return Int64(bitPattern: sum.value)
  }

  private static func sum(of block: ArraySlice<UInt8>) -> Int64 {
    let hash = unsafe block.withUnsafeBytes { unsafe Checksum.hash($0, seed: 0) }
    return Int64(bitPattern: hash)
  }
}

extension StoredRecord {
  /// The checksum of a value's bytes; of a long one block by block.
  static func checksum(of value: [UInt8]?) -> Int64 {
    if let value, value.count > ContentReference.blockSize {
      var sum = ContentSum()
      for block in value.blocks { sum.add(block) }
      return sum.checksum
    }
    var checksum = Checksum()
    checksum.combine(value)
    return Int64(bitPattern: checksum.value)
  }

  /// The checksum over all columns that affect a verdict or an answer. The value enters by its own checksum, so
  /// that renewing stamps or marking a row does not read the value again.
  package var rowChecksum: Int64 {
    var (record, sum) = (self, RecordSum())
    record.visit(&sum)
    return sum.checksum
  }
}

extension [UInt8] {
  /// The bytes in blocks, all but the last full.
  var blocks: [ArraySlice<UInt8>] {
    stride(from: 0, to: count, by: ContentReference.blockSize).map { start in
      self[start..<Swift.min(start + ContentReference.blockSize, count)]
    }
  }
}
