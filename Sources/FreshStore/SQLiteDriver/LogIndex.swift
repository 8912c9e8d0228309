internal import Synchronization

/// The index of the log, in memory that all processes share. It lies there for as long as a connection
/// of this process is open; whoever reads it sees to that.
@safe
struct LogIndex: Sendable {
  private let address: UInt

  init(_ pointer: UnsafeRawPointer) {
    address = UInt(bitPattern: pointer)
  }

  /// The header as it is now. One that is being written comes out torn, and equals no other.
  var header: LogHeader {
    // It is memory of a connection that is open.
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else {
      preconditionFailure("an index has an address")
    }
    let words = unsafe (
      pointer.load(fromByteOffset: 0, as: UInt64.self),
      pointer.load(fromByteOffset: 8, as: UInt64.self),
      pointer.load(fromByteOffset: 16, as: UInt64.self),
      pointer.load(fromByteOffset: 24, as: UInt64.self),
      pointer.load(fromByteOffset: 32, as: UInt64.self),
      pointer.load(fromByteOffset: 40, as: UInt64.self)
    )
    // What is served by it was loaded before; nothing that follows may be read earlier.
    atomicMemoryFence(ordering: .acquiring)
    return LogHeader(words)
  }

  /// How much of the log was moved into the database: `mxFrame` and `nBackfill`. Exact only while
  /// nobody writes.
  var progress: LogProgress {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else {
      preconditionFailure("an index has an address")
    }
    return unsafe LogProgress(
      pages: Int(pointer.load(fromByteOffset: 16, as: UInt32.self)),
      moved: Int(pointer.load(fromByteOffset: 96, as: UInt32.self)))
  }
}
