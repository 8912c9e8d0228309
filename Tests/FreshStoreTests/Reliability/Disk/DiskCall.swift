/// The operations that SQLite requests of a file.
enum DiskCall: Sendable {
  case open
  case delete
  case read
  case write(offset: Int64, bytes: [UInt8])
  case truncate(size: Int64)
  case sync
  case size
  case lock
  case mapShared
  /// A lock in the shared memory is taken; it is released without a question.
  case lockShared(slot: Int32)
  /// A page of mapped memory is released: a checkpoint does so between its two looks at the log.
  case unfetch

  /// The call without its arguments.
  enum Kind: Sendable, CaseIterable {
    case open, delete, read, write, truncate, sync, size, lock, mapShared, lockShared, unfetch
  }

  var kind: Kind {
    switch self {
    case .open: .open
    case .delete: .delete
    case .read: .read
    case .write: .write
    case .truncate: .truncate
    case .sync: .sync
    case .size: .size
    case .lock: .lock
    case .mapShared: .mapShared
    case .lockShared: .lockShared
    case .unfetch: .unfetch
    }
  }
}
