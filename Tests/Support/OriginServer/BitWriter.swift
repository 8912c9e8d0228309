/// Packs bits into bytes, the lowest bit first (RFC 1951 section 3.1.1).
struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt8 = 0
  private var pendingCount = 0

  /// The bytes, the last one filled up with zeros.
  var finished: [UInt8] { pendingCount == 0 ? bytes : bytes + [pending] }

  /// Adds a number, its lowest bit first.
  mutating func append(_ number: UInt8, count: Int) {
    for position in 0..<count {
      add(number >> position & 1)
    }
  }

  /// Adds a Huffman code, its highest bit first.
  mutating func append(code: UInt8, count: Int) {
    for position in (0..<count).reversed() {
      add(code >> position & 1)
    }
  }

  private mutating func add(_ bit: UInt8) {
    pending |= bit << pendingCount
    pendingCount += 1
    if pendingCount == 8 {
      bytes.append(pending)
      (pending, pendingCount) = (0, 0)
    }
  }
}
