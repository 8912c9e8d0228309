internal import Synchronization

/// The index of the log, in memory that all processes share. It is valid as long as a connection of
/// this process is open; the reader must ensure that.
@safe
struct LogIndex: Sendable {
  private let address: UInt

  init(_ pointer: UnsafeRawPointer) {
    address = UInt(bitPattern: pointer)
  }

  /// The current header. One that is being written is read torn, and equals no other.
  var header: LogHeader {
    // The memory belongs to an open connection.
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
    // The values served by it were loaded before; no later load may move ahead of this.
    atomicMemoryFence(ordering: .acquiring)
    return LogHeader(words)
  }

  /// The progress of moving the log into the database: `mxFrame` and `nBackfill`. Exact only while
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
