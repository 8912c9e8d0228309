#if os(Linux)
  internal import Platform

  /// Makes the kernel report accesses to a store's files (inotify(7)).
  ///
  /// Files are watched by their paths, so none is opened: closing any descriptor of a database's
  /// file would drop the locks that this process holds on it.
  final class FileWatch: Sendable {
    /// The system offers no watch: it has none, or its limits are reached.
    struct Unavailable: Error {}

    /// The events since the last check.
    struct Events: Sendable, Equatable {
      /// A commit concerns observers.
      var isTouched = false
      /// A file may have been moved, replaced or deleted.
      var isMoved = false
    }

    /// Becomes readable when there are events to ``drain()``.
    let descriptor: Int32
    private let sharedMemory: Int32

    /// Watches the database at `path`, and the shared memory beside it, which must exist.
    init(database path: String, sharedMemory sharedMemoryPath: String) throws(Unavailable) {
      let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard descriptor >= 0 else { throw Unavailable() }
      let events = UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF) | UInt32(IN_DELETE_SELF)
      let numbers = [sharedMemoryPath, path].map { (path: String) in
        unsafe inotify_add_watch(descriptor, path, events)
      }
      guard numbers.allSatisfy({ $0 >= 0 }) else {
        close(descriptor)
        throw Unavailable()
      }
      self.descriptor = descriptor
      sharedMemory = numbers[0]
    }

    deinit {
      close(descriptor)
    }

    /// Reads the pending events, without waiting.
    func drain() -> Events {
      var events = Events()
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
        guard count > 0 else { return events }
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe note(UnsafeRawBufferPointer(rebasing: buffer[..<count]), in: &events)
        }
      }
    }

    private func note(_ buffer: UnsafeRawBufferPointer, in events: inout Events) {
      let headerSize = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + headerSize <= buffer.count {
        let event = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let isTouch = event.wd == sharedMemory && event.mask & UInt32(IN_ATTRIB) != 0
        events.isTouched = events.isTouched || isTouch
        // Also when events were dropped (IN_Q_OVERFLOW): anything may have happened.
        events.isMoved = events.isMoved || !isTouch
        offset += headerSize + Int(event.len)
      }
    }
  }
#endif
