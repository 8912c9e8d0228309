/// The checksums of a log (https://sqlite.org/fileformat2.html, section 4.2), so that an input's
/// change of a log is found where it is used, and not already at its checksum.
enum LogChecksums {
  /// Writes the checksums, and the salts that distinguish a frame from one of an older log.
  static func mend(_ log: inout [UInt8]) {
    guard log.count >= 32 else { return }
    let isBigEndian = log[3] & 1 == 1
    let claimed = number(log[...], 8)
    let page = 512...65536 ~= claimed && claimed.nonzeroBitCount == 1 ? Int(claimed) : 4096
    var sum = Sum(isBigEndian: isBigEndian)
    sum.add(log[0..<24])
    write(sum, to: &log, at: 24)
    let salts = Array(log[16..<24])
    var frame = 32
    while frame + 24 + page <= log.count {
      log.replaceSubrange(frame + 8..<frame + 16, with: salts)
      sum.add(log[frame..<frame + 8])
      sum.add(log[frame + 24..<frame + 24 + page])
      write(sum, to: &log, at: frame + 16)
      frame += 24 + page
    }
  }

  /// True when the checksum of the first bytes holds, or there are too few for a log.
  static func isHeadWhole(_ log: [UInt8]) -> Bool {
    guard log.count >= 32 else { return true }
    var head = Array(log.prefix(32))
    mend(&head)
    let isLog = [0x377F_0682, 0x377F_0683].contains(number(head[...], 0))
    return isLog && head.elementsEqual(log.prefix(32))
  }

  private struct Sum {
    let isBigEndian: Bool
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init(isBigEndian: Bool) {
      self.isBigEndian = isBigEndian
    }

    /// Adds bytes, a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      var place = bytes.startIndex
      while place < bytes.endIndex {
        first = first &+ word(bytes, place) &+ second
        second = second &+ word(bytes, place + 4) &+ first
        place += 8
      }
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
      let number = LogChecksums.number(bytes, place)
      return isBigEndian ? number : number.byteSwapped
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func write(_ sum: Sum, to log: inout [UInt8], at place: Int) {
    for (offset, word) in [(0, sum.first), (4, sum.second)] {
      for byte in 0..<4 {
        log[place + offset + byte] = UInt8(truncatingIfNeeded: word >> (24 - 8 * byte))
      }
    }
  }
}
