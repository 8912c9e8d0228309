import Synchronization

/// A disk that records all operations on its files, in order, so that the files after a power cut
/// can be derived. It never waits for the real one.
final class RecordingDisk: Disk {
  /// The operations.
  enum Event: Sendable {
    case write(file: String, offset: Int64, bytes: [UInt8])
    case truncate(file: String, size: Int64)
    case sync(file: String)
    case delete(file: String)
    /// This many steps of the work were acknowledged; the last of them as surviving a power cut, or not.
    case acknowledged(steps: Int, isDurable: Bool)
  }

  /// Whether it reports a sync without doing it, as bad disks do.
  private let lies: Bool
  private let state = Mutex<[Event]>([])

  init(lies: Bool = false) {
    self.lies = lies
  }

  var events: [Event] { state.withLock { $0 } }

  func acknowledge(steps: Int, isDurable: Bool) {
    state.withLock { $0.append(.acknowledged(steps: steps, isDurable: isDurable)) }
  }

  func verdict(on call: DiskCall, of file: String) -> DiskVerdict {
    let event: Event
    switch call {
    case .write(let offset, let bytes): event = .write(file: file, offset: offset, bytes: bytes)
    case .truncate(let size): event = .truncate(file: file, size: size)
    case .sync: event = .sync(file: file)
    case .delete: event = .delete(file: file)
    case .open, .read, .size, .lock, .mapShared, .lockShared, .unfetch: return .proceed
    }
    if call.kind != .sync || !lies { state.withLock { $0.append(event) } }
    return call.kind == .sync ? .skip : .proceed
  }
}
