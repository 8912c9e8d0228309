internal import FreshStore

extension DamagedTree {
  /// A consistent page.
  struct Page {
    let isLeaf: Bool
    let isIndex: Bool
    /// The offsets of its cells.
    let cells: [Int]
    /// The pages below it.
    let children: [Int]
    private let bytes: [UInt8]

    /// `nil` when the bytes are not a page of a tree.
    init?(_ number: Int, of pages: borrowing DamagedPages) {
      guard let bytes = pages.page(number) else { return nil }
      let start = number == 1 ? 100 : 0
      switch bytes[start] {
      case 2: (isLeaf, isIndex) = (false, true)
      case 5: (isLeaf, isIndex) = (false, false)
      case 10: (isLeaf, isIndex) = (true, true)
      case 13: (isLeaf, isIndex) = (true, false)
      default: return nil
      }
      let count = bytes[start + 3..<start + 5].bigEndian
      let first = start + (isLeaf ? 8 : 12)
      guard first + 2 * count <= bytes.count - 4 else { return nil }
      let cells = (0..<count).map { bytes[first + 2 * $0..<first + 2 * $0 + 2].bigEndian }
      let allowed = first + 2 * count...bytes.count - 4
      guard cells.allSatisfy(allowed.contains) else { return nil }
      var children: [Int] = []
      if !isLeaf {
        children = cells.map { bytes[$0..<$0 + 4].bigEndian }
        children.append(bytes[start + 8..<start + 12].bigEndian)
        guard children.allSatisfy((1...pages.count).contains) else { return nil }
      }
      (self.cells, self.children, self.bytes) = (cells, children, bytes)
    }

    /// The row of a cell; `nil` when it cannot be read.
    func row(at cell: Int, _ pages: borrowing DamagedPages) -> Row? {
      var reader = ByteReader(bytes[(cell + (isLeaf ? 0 : 4))...])
      guard let length = reader.varint(), (0...Int64(1 << 31)).contains(length) else { return nil }
      let total = Int(length)
      guard let number = isIndex ? 0 : reader.varint() else { return nil }
      let here = local(total)
      guard let local = reader.bytes(here) else { return nil }
      var next = 0
      if here < total {
        guard let link = reader.bytes(4) else { return nil }
        next = link.bigEndian
      }
      guard let payload = pages.payload(local, total, overflow: next),
        let values = StoredValue.row(payload)
      else { return nil }
      return Row(number: number, values: values)
    }

    /// The number of payload bytes on the page itself.
    private func local(_ total: Int) -> Int {
      let usable = bytes.count
      let most = isIndex ? (usable - 12) * 64 / 255 - 23 : usable - 35
      guard total > most else { return total }
      let least = (usable - 12) * 32 / 255 - 23
      let part = least + (total - least) % (usable - 4)
      return part <= most ? part : least
    }
  }
}
