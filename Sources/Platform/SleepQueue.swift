#if os(Linux)
  internal import Synchronization

  /// The sleeps of all tasks, on one thread that wakes for the next of them.
  ///
  /// Most sleeps are the limits of work that ends long before: one that is begun and cancelled costs a lock and some
  /// writes to memory here, where each has a timer of its own, and two changes of threads, in Swift's own pool.
  package final class SleepQueue: Sendable {
    private struct Sleep {
      let end: Int64
      let number: UInt64
    }

    private struct State {
      /// A heap, the earliest end first; those that were cancelled stay in it until it is their turn.
      var sleeps: [Sleep] = []
      var continuations: [UInt64: CheckedContinuation<Void, any Error>] = [:]
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
      let (end, overflows) = Self.now.addingReportingOverflow(max(0, nanoseconds))
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          begin(Sleep(end: overflows ? .max : end, number: number), continuation)
        }
      } onCancel: {
        cancel(number)
      }
    }

    private func begin(_ sleep: Sleep, _ continuation: CheckedContinuation<Void, any Error>) {
      let (isCancelled, isNext) = state.withLock { state in
        guard state.cancelled.remove(sleep.number) == nil else { return (true, false) }
        state.continuations[sleep.number] = continuation
        Self.add(sleep, to: &state.sleeps)
        guard sleep.end < state.wakes else { return (false, false) }
        state.wakes = sleep.end
        return (false, true)
      }
      if isCancelled { return continuation.resume(throwing: CancellationError()) }
      guard isNext else { return }
      var byte: UInt8 = 0
      // A full pipe wakes it as well.
      _ = unsafe write(wakeUp, &byte, 1)
    }

    private func cancel(_ number: UInt64) {
      let continuation = state.withLock { state in
        let continuation = state.continuations.removeValue(forKey: number)
        if continuation == nil { state.cancelled.insert(number) }
        if state.sleeps.count > 256, state.sleeps.count > 4 * state.continuations.count {
          // In order it is a heap, too.
          state.sleeps = state.sleeps.filter { state.continuations[$0.number] != nil }
            .sorted { $0.end < $1.end }
        }
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }

    // MARK: The thread

    private func run(_ heard: Int32) {
      while true {
        let (due, wait) = takeDue()
        for continuation in due { continuation.resume() }
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
    private func takeDue() -> (due: [CheckedContinuation<Void, any Error>], wait: Int64) {
      state.withLock { state in
        let now = Self.now
        var due: [CheckedContinuation<Void, any Error>] = []
        while let next = state.sleeps.first {
          let isWanted = state.continuations[next.number] != nil
          guard !isWanted || next.end <= now else { break }
          Self.removeFirst(from: &state.sleeps)
          if let continuation = state.continuations.removeValue(forKey: next.number) {
            due.append(continuation)
          }
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
