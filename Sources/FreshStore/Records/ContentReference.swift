/// A value that is kept in blocks beside its record, so that it can be written and read one block at a time.
///
/// Its blocks never change. A record that gives it up leaves it to be collected, some minutes later: whoever reads it
/// then still reads it to its end.
package struct ContentReference: Sendable, Hashable {
  /// Drawn at random: nobody who reads a value that is gone takes the blocks of another one for its own, in this file
  /// or in one that has replaced it.
  package let id: Int64
  /// The bytes of the value; 0 where they were not counted.
  package var size: Int64
  /// The checksum of the value.
  package var checksum: Int64

  package init(id: Int64, size: Int64 = 0, checksum: Int64 = 0) {
    (self.id, self.size, self.checksum) = (id, size, checksum)
  }

  /// The bytes of each block but the last. A value that is no longer stays in its row.
  package static let blockSize = 256 << 10

  /// A number that no other value has.
  package static func drawn() -> Int64 { Int64.random(in: 1..<(1 << 42)) }

  /// The number of blocks.
  package var blocks: Int { Int((size + Int64(Self.blockSize) - 1) / Int64(Self.blockSize)) }

  /// The bytes that a block has.
  func length(of block: Int) -> Int {
    Int(min(Int64(Self.blockSize), max(0, size - Int64(block) * Int64(Self.blockSize))))
  }

  /// The row of a block: those of one value lie side by side.
  func place(of block: Int) -> Int64 { firstPlace | Int64(block) & (1 << 20 - 1) }

  /// The rows of all blocks lie from here up to ``endPlace``.
  var firstPlace: Int64 { id << 20 }
  var endPlace: Int64 { (id &+ 1) << 20 }
}
