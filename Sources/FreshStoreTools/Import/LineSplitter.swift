internal import FreshStore

/// Splits bytes that arrive in pieces into lines, and holds no more than one line of them.
struct LineSplitter {
  /// A line without its end; `nil` for one that exceeds the limit.
  typealias Line = (number: Int, bytes: [UInt8]?)

  /// The longest line.
  let limit: Int
  private var unfinished: [UInt8] = []
  private var isTooLong = false
  private var number = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// The lines completed by `bytes`.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var (lines, rest) = ([Line](), bytes)
    while let last = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(rest[..<last])
      lines.append(end())
      rest = rest[(last + 1)...]
    }
    add(rest)
    return lines
  }

  /// The last line if it has no LF; `nil` when it is empty.
  mutating func finish() -> Line? {
    unfinished.isEmpty && !isTooLong ? nil : end()
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong else { return }
    isTooLong = unfinished.count + bytes.count > limit
    if isTooLong { unfinished = [] } else { unfinished += bytes }
  }

  private mutating func end() -> Line {
    defer { (unfinished, isTooLong) = ([], false) }
    number += 1
    if unfinished.last == UInt8(ascii: "\r") { unfinished.removeLast() }
    return (number, isTooLong ? nil : unfinished)
  }
}
