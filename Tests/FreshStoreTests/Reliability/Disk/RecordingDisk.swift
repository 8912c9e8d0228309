import Synchronization

/// A disk that keeps everything that was done to its files, in order, so that what a power cut leaves
/// can be made of it. It never waits for the real one.
final class RecordingDisk: Disk {
  /// What was done.
  enum Event: Sendable {
    case write(file: String, offset: Int64, bytes: [UInt8])
    case truncate(file: String, size: Int64)
    case sync(file: String)
    case delete(file: String)
    /// So many steps of the work were acknowledged; the last of them as surviving a power cut, or not.
    case acknowledged(steps: Int, isDurable: Bool)
  }

  /// Whether it says that something is synced when it is not, as bad disks do.
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
