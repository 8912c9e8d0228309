#if Fleet
  internal import FreshStore
  internal import Platform
  internal import Strategies

  /// Waits for sockets on a thread that may block.
  enum Waiting {
    /// The time by which an event must have happened.
    typealias Deadline = ContinuousClock.Instant

    /// A descriptor, and the events that are awaited.
    struct Interest {
      let descriptor: Int32
      var isWriting = false
    }

    /// Waits until one of the descriptors is ready or the deadline has passed. Returns the readiness of each.
    /// The deadline `nil` waits for ever.
    static func wait(for interests: [Interest], until deadline: Deadline?) -> [Bool] {
      var polls = interests.map {
        pollfd(
          fd: $0.descriptor, events: Int16($0.isWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
      }
      while true {
        var left: Int32 = -1
        if let deadline {
          let duration = ContinuousClock.now.duration(to: deadline)
          // Rounded up, because a wait must not end before its deadline.
          left = Int32(clamping: max(0, duration.wholeMilliseconds + (duration > .zero ? 1 : 0)))
        }
        let count = unsafe poll(&polls, nfds_t(polls.count), left)
        if count >= 0 { return polls.map { $0.revents != 0 } }
        // Only a signal interrupts the call.
        guard errno == EINTR else { return polls.map { _ in true } }
      }
    }
  }

  /// Wakes a thread that waits for sockets.
  final class WakeSignal: Sendable {
    let reading: Int32
    private let writing: Int32

    init() throws(SharedTierError) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else {
        throw SharedTierError(.other, "no pipe could be made: \(ErrorNumber.last)")
      }
      (reading, writing) = (ends[0], ends[1])
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }

    deinit {
      close(reading)
      close(writing)
    }

    /// Ends the present wait, or the next one.
    func wake() {
      var byte: UInt8 = 1
      // A full pipe wakes the thread, too.
      _ = unsafe write(writing, &byte, 1)
    }

    /// Clears the signal.
    func clear() {
      var bytes = [UInt8](repeating: 0, count: 64)
      while unsafe read(reading, &bytes, bytes.count) == bytes.count {}
    }
  }
#endif
