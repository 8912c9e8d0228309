/// The checksum of a value that is longer than a block, from those of its blocks: it is the same whether the value
/// lies in its row or in blocks, and can be made while the value arrives.
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
