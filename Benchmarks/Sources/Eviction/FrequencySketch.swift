/// A count-min sketch of four rows of 4-bit counters, halved after every ten additions for
/// each expected entry.
struct FrequencySketch {
  private var words: [UInt64]
  private let rowMask: UInt64
  private let rowWords: Int
  private let sampleSize: Int
  private var additions = 0

  init(expectedEntries: Int) {
    var rowCounters = 64
    while rowCounters < expectedEntries * 4 { rowCounters *= 2 }
    rowMask = UInt64(rowCounters - 1)
    rowWords = rowCounters / 16
    words = Array(repeating: 0, count: rowWords * 4)
    sampleSize = max(1, expectedEntries) * 10
  }

  func estimate(_ key: Int32) -> UInt64 {
    let hash = mixed(UInt64(UInt32(bitPattern: key)))
    var lowest: UInt64 = 15
    for row in 0..<4 {
      let (word, shift) = position(hash, row)
      lowest = min(lowest, (words[word] >> shift) & 15)
    }
    return lowest
  }

  mutating func add(_ key: Int32) {
    let hash = mixed(UInt64(UInt32(bitPattern: key)))
    var added = false
    for row in 0..<4 {
      let (word, shift) = position(hash, row)
      if (words[word] >> shift) & 15 < 15 {
        words[word] += 1 << shift
        added = true
      }
    }
    guard added else { return }
    additions += 1
    if additions >= sampleSize { halve() }
  }

  private func position(_ hash: UInt64, _ row: Int) -> (word: Int, shift: UInt64) {
    let counter = ((hash >> 32) &* UInt64(2 * row + 1) &+ hash &* UInt64(row + 1)) & rowMask
    return (row * rowWords + Int(counter >> 4), (counter & 15) * 4)
  }

  private mutating func halve() {
    for index in words.indices {
      words[index] = (words[index] >> 1) & 0x7777_7777_7777_7777
    }
    additions /= 2
  }
}
