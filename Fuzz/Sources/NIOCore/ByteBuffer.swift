package typealias ByteBufferView = ArraySlice<UInt8>

/// As much of SwiftNIO's buffer as cutting bytes into requests takes, so that no other package is needed here.
package struct ByteBuffer: Hashable, Sendable {
  /// The bytes that are still to be read.
  package private(set) var readableBytesView: ByteBufferView = []

  package init() {}

  package init(bytes: some Sequence<UInt8>) { readableBytesView = ByteBufferView(bytes) }

  package var readableBytes: Int { readableBytesView.count }

  @discardableResult
  package mutating func discardReadBytes() -> Bool {
    readableBytesView = ByteBufferView(Array(readableBytesView))
    return true
  }

  @discardableResult
  package mutating func writeBuffer(_ other: inout ByteBuffer) -> Int {
    defer { other.readableBytesView = [] }
    readableBytesView += other.readableBytesView
    return other.readableBytes
  }

  package mutating func moveReaderIndex(forwardBy count: Int) {
    precondition(count >= 0 && count <= readableBytes)
    readableBytesView = readableBytesView.dropFirst(count)
  }

  /// `nil` when there are not so many.
  package mutating func readSlice(length: Int) -> ByteBuffer? {
    guard length >= 0, length <= readableBytes else { return nil }
    defer { moveReaderIndex(forwardBy: length) }
    return ByteBuffer(bytes: readableBytesView.prefix(length))
  }

  /// The same as a text; invalid UTF-8 is repaired.
  package mutating func readString(length: Int) -> String? {
    readSlice(length: length).map { String(decoding: $0.readableBytesView, as: UTF8.self) }
  }
}
