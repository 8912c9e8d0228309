internal import FreshStore

/// One table or index of a damaged database, read page by page (https://sqlite.org/fileformat2.html, section 1.6).
///
/// Its pages are found in two ways: down from the root, and up from every page by the pointer map. So the loss of a
/// page never loses the pages below it.
struct DamagedTree {
  /// The number of its root page.
  let root: Int
  /// True for an index, and for a table without row numbers, which is stored like an index.
  let isIndex: Bool

  /// A row, with its number if the table has row numbers.
  struct Row {
    let number: Int64
    let values: [StoredValue]
  }

  /// The result of reading a tree.
  struct Findings {
    /// False when a page is damaged: then unknown rows may exist.
    var isWhole = true
    /// Rows, readable or not, on the pages that are not damaged.
    var rows = 0
  }

  /// Calls `body` for each row that can be read.
  func read<Failure: Error>(
    _ pages: borrowing DamagedPages, _ body: (Row) throws(Failure) -> Void
  ) throws(Failure) -> Findings {
    var findings = Findings()
    for number in self.pages(of: pages, &findings) {
      guard let page = Page(number, of: pages), page.isIndex == isIndex else {
        findings.isWhole = false
        continue
      }
      guard page.isLeaf || isIndex else { continue }
      for cell in page.cells {
        findings.rows += 1
        guard let row = page.row(at: cell, pages) else { continue }
        try body(row)
      }
    }
    return findings
  }

  /// The pages of the tree, each once.
  private func pages(of pages: borrowing DamagedPages, _ findings: inout Findings) -> [Int] {
    var (found, waiting) = (Set([root]), [root])
    while let number = waiting.popLast() {
      // A page of another tree is detected when it is read.
      guard let page = Page(number, of: pages), page.isIndex == isIndex else { continue }
      for child in page.children where found.insert(child).inserted { waiting.append(child) }
    }
    if pages.count > 2 {
      for number in 3...pages.count where pages.root(of: number) == root { found.insert(number) }
    }
    return found.sorted()
  }
}

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

/// A value in a row's bytes (https://sqlite.org/fileformat2.html, section 2.1).
enum StoredValue {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
}

extension StoredValue {
  /// The values of a row; `nil` when the bytes are not a row.
  static func row(_ payload: [UInt8]) -> [StoredValue]? {
    var header = ByteReader(payload[...])
    guard let length = header.varint(), length >= header.position, length <= payload.count
    else { return nil }
    header = ByteReader(payload[header.position..<Int(length)])
    var body = ByteReader(payload[Int(length)...])
    var values: [StoredValue] = []
    while !header.isAtEnd {
      guard let type = header.varint(), let value = value(of: type, &body) else { return nil }
      values.append(value)
    }
    return body.isAtEnd ? values : nil
  }

  private static func value(of type: Int64, _ body: inout ByteReader) -> StoredValue? {
    switch type {
    case 0: return .null
    case 1...6:
      let sizes = [1, 2, 3, 4, 6, 8]
      return body.integer(sizes[Int(type) - 1]).map(StoredValue.integer)
    case 7: return body.integer(8).map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...:
      guard let bytes = body.bytes(Int((type - 12) / 2)) else { return nil }
      return type.isMultiple(of: 2) ? .blob(bytes) : .text(bytes)
    default: return nil
    }
  }
}

/// Reads numbers and bytes one after the other; never past the end.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  /// The index of the next byte.
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position >= bytes.endIndex }

  /// The next `count` bytes.
  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= bytes.endIndex - position else { return nil }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// A signed big-endian number.
  mutating func integer(_ count: Int) -> Int64? {
    guard let part = bytes(count), let first = part.first else { return nil }
    return part.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }

  /// A number of one to nine bytes (https://sqlite.org/fileformat2.html, section 1.6).
  mutating func varint() -> Int64? {
    var value: UInt64 = 0
    for place in 0..<9 {
      guard !isAtEnd else { return nil }
      let byte = bytes[position]
      position += 1
      if place == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }
}

extension Sequence<UInt8> {
  /// An unsigned big-endian number.
  var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}
