#if os(Linux)
  internal import Synchronization

  /// The sleeps of all tasks, and the alarms of those that need no task for it, on one thread that wakes for the next of
  /// them.
  ///
  /// Most sleeps are the limits of work that ends long before: one that is begun and cancelled costs a lock and some
  /// writes to memory here, where each has a timer of its own, and two changes of threads, in Swift's own pool.
  package final class SleepQueue: Sendable {
    private struct Sleep {
      let end: Int64
      let number: UInt64
    }

    /// What is done at the end of a sleep.
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
      /// A heap, the earliest end first; those that were cancelled stay in it until it is their turn.
      var sleeps: [Sleep] = []
      var waiters: [UInt64: Waiter] = [:]
      /// Cancelled before they began.
      var cancelled: Set<UInt64> = []
      /// When the thread wakes by itself.
      var wakes = Int64.max
    }

    private let state = Mutex(State())
    private let numbers = Atomic<UInt64>(0)
    /// A byte wakes the thread, which waits for an earlier end from then on.
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
      guard unsafe pipe(&ends) == 0 else { throw ErrorNumber(errno) }
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
      // One that ends and is cancelled at once.
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

    /// Has work done once so many nanoseconds have passed, on the thread of all sleeps, which nothing may hold up. Returns
    /// the number by which ``end(alarm:)`` forgets it.
    package func alarm(
      afterNanoseconds nanoseconds: Int64, _ work: @escaping @Sendable () -> Void
    ) -> UInt64 {
      let number = numbers.add(1, ordering: .relaxed).newValue
      _ = begin(number, after: nanoseconds, .alarm(work))
      return number
    }

    /// The work of an alarm is not done any more, unless it has begun already.
    package func end(alarm number: UInt64) {
      // What it holds is released without the lock.
      _ = state.withLock { state -> Waiter? in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter != nil { Self.forgetCancelled(&state) }
        return waiter
      }
    }

    /// False for one that was cancelled before.
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
      // A full pipe wakes it as well.
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

    /// Takes those that were cancelled out of the heap, once they are most of it.
    private static func forgetCancelled(_ state: inout State) {
      guard state.sleeps.count > 256, state.sleeps.count > 4 * state.waiters.count else { return }
      let waiters = state.waiters
      // In order it is a heap, too.
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

    /// Those whose time is over, and how long to wait otherwise. The machine may be suspended meanwhile, which only the
    /// clock of the boot counts: it is looked at once a minute at least.
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
