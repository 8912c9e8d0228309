#if os(Linux)
  internal import Synchronization

  /// The sleeps of all tasks, and alarms that need no task. One thread wakes for the next of them.
  ///
  /// Most sleeps are limits of work that ends long before. Here a sleep that is begun and cancelled costs a lock
  /// and some writes to memory. In Swift's own pool it costs a timer and two changes of threads.
  package final class SleepQueue: Sendable {
    private struct Sleep {
      let end: Int64
      let number: UInt64
    }

    /// The task or the work that waits for the end of a sleep.
    private enum Waiter {
      case task(CheckedContinuation<Void, any Error>)
      case alarm(@Sendable () -> Void)

      func wake() {
        switch self {
        case .task(let continuation): continuation.resume()
        case .alarm(let work): work()
        }
      }
    }

    private struct State {
      /// A heap, the earliest end first. A cancelled sleep stays in the heap until its turn comes.
      var sleeps: [Sleep] = []
      var waiters: [UInt64: Waiter] = [:]
      /// The sleeps that were cancelled before they began.
      var cancelled: Set<UInt64> = []
      /// The time at which the thread wakes by itself.
      var wakes = Int64.max
    }

    private let state = Mutex(State())
    private let numbers = Atomic<UInt64>(0)
    /// A byte wakes the thread, which then waits for an earlier end.
    private let wakeUp: Int32
    private let birth = ForkCount.begin()

    /// `nil` where the system gives no thread or no descriptors.
    package static let shared: SleepQueue? = {
      do throws(ErrorNumber) {
        return try SleepQueue()
      } catch {
        return nil
      }
    }()

    private init() throws(ErrorNumber) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw .last }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      let heard = ends[0]
      wakeUp = ends[1]
      do throws(ErrorNumber) {
        try DetachedThread.start { [self] in run(heard) }
      } catch {
        close(ends[0])
        close(ends[1])
        throw error
      }
    }

    /// False in a forked child, which has no such thread.
    package var isRunning: Bool { ForkCount.now == birth }

    /// Returns once so many nanoseconds have passed; throws `CancellationError` when the task is cancelled first.
    package func sleep(nanoseconds: Int64) async throws {
      let number = numbers.add(1, ordering: .relaxed).newValue
      // The sleep may end and be cancelled at the same moment.
      defer { state.withLock { _ = $0.cancelled.remove(number) } }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<Void, any Error>) in
          let isBegun = begin(number, after: nanoseconds, .task(continuation))
          if !isBegun { continuation.resume(throwing: CancellationError()) }
        }
      } onCancel: {
        cancel(number)
      }
    }

    /// Runs work once so many nanoseconds have passed, on the thread of all sleeps; the work must not block.
    /// Returns the number by which ``end(alarm:)`` forgets it.
    package func alarm(
      afterNanoseconds nanoseconds: Int64, _ work: @escaping @Sendable () -> Void
    ) -> UInt64 {
      let number = numbers.add(1, ordering: .relaxed).newValue
      _ = begin(number, after: nanoseconds, .alarm(work))
      return number
    }

    /// Cancels the work of an alarm, unless the work has begun.
    package func end(alarm number: UInt64) {
      // The values that the waiter holds are released outside the lock.
      _ = state.withLock { state -> Waiter? in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter != nil { Self.forgetCancelled(&state) }
        return waiter
      }
    }

    /// Begins a sleep; false when it was cancelled before.
    private func begin(_ number: UInt64, after nanoseconds: Int64, _ waiter: Waiter) -> Bool {
      let (end, overflows) = Self.now.addingReportingOverflow(max(0, nanoseconds))
      let sleep = Sleep(end: overflows ? .max : end, number: number)
      let (isCancelled, isNext) = state.withLock { state in
        guard state.cancelled.remove(number) == nil else { return (true, false) }
        state.waiters[number] = waiter
        Self.add(sleep, to: &state.sleeps)
        guard sleep.end < state.wakes else { return (false, false) }
        state.wakes = sleep.end
        return (false, true)
      }
      guard isNext else { return !isCancelled }
      var byte: UInt8 = 0
      // A full pipe wakes the thread as well.
      _ = unsafe write(wakeUp, &byte, 1)
      return true
    }

    private func cancel(_ number: UInt64) {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter == nil { state.cancelled.insert(number) }
        Self.forgetCancelled(&state)
        return waiter
      }
      guard case .task(let continuation)? = waiter else { return }
      continuation.resume(throwing: CancellationError())
    }

    /// Removes the cancelled sleeps from the heap once they are most of it.
    private static func forgetCancelled(_ state: inout State) {
      guard state.sleeps.count > 256, state.sleeps.count > 4 * state.waiters.count else { return }
      let waiters = state.waiters
      // A sorted list is a heap, too.
      state.sleeps = state.sleeps.filter { waiters[$0.number] != nil }
        .sorted { $0.end < $1.end }
    }

    // MARK: The thread

    private func run(_ heard: Int32) {
      while true {
        let (due, wait) = takeDue()
        for waiter in due { waiter.wake() }
        guard due.isEmpty else { continue }
        var descriptor = pollfd(fd: heard, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32((wait + 999_999) / 1_000_000)
        guard unsafe poll(&descriptor, 1, milliseconds) > 0 else { continue }
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while unsafe read(heard, &bytes, bytes.count) == bytes.count {}
      }
    }

    /// The waiters whose time is over, and the time to wait when there are none. The wait is a minute at most: the
    /// machine may be suspended meanwhile, and only the clock of the boot counts that time.
    private func takeDue() -> (due: [Waiter], wait: Int64) {
      state.withLock { state in
        let now = Self.now
        var due: [Waiter] = []
        while let next = state.sleeps.first {
          let isWanted = state.waiters[next.number] != nil
          guard !isWanted || next.end <= now else { break }
          Self.removeFirst(from: &state.sleeps)
          if let waiter = state.waiters.removeValue(forKey: next.number) { due.append(waiter) }
        }
        state.wakes = state.sleeps.first?.end ?? .max
        return (due, min(max(0, state.wakes - now), 60_000_000_000))
      }
    }

    private static var now: Int64 {
      var time = timespec()
      unsafe clock_gettime(CLOCK_BOOTTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: The heap

    private static func add(_ sleep: Sleep, to heap: inout [Sleep]) {
      heap.append(sleep)
      var place = heap.count - 1
      while place > 0, heap[place].end < heap[(place - 1) / 2].end {
        heap.swapAt(place, (place - 1) / 2)
        place = (place - 1) / 2
      }
    }

    private static func removeFirst(from heap: inout [Sleep]) {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      var place = 0
      while true {
        var least = 2 * place + 1
        guard least < heap.count else { return }
        if least + 1 < heap.count, heap[least + 1].end < heap[least].end { least += 1 }
        guard heap[least].end < heap[place].end else { return }
        heap.swapAt(place, least)
        place = least
      }
    }
  }
#endif
