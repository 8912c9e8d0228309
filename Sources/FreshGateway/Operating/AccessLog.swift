internal import Platform
internal import Synchronization

/// The log of requests: a line for each that was answered, in the common form or as JSON.
///
/// Lines wait in memory until enough have come, or until ``flush()``. A thread of its own writes them: a log that
/// takes none for a while, such as a pipe that nobody reads, holds up no answer. Lines that find no room then are
/// lost, and counted.
package final class AccessLog: Sendable {
  package enum Form: String, Sendable {
    case common
    case json
  }

  private struct State {
    var waiting: [UInt8] = []
    var waitingLines = 0
    var isWriting = false
    /// Of all lines, and of those that the log has not been told of.
    var lost = 0
    var untold = 0
    var idle: [CheckedContinuation<Void, Never>] = []
  }

  private let form: Form
  private let write: @Sendable ([UInt8]) -> Bool
  private let room: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - room: The most bytes that may wait.
  ///   - write: Writes whole lines, and may block; called by one thread at a time. False when they are lost.
  package init(
    _ form: Form, room: Int = 4 << 20, write: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    (self.form, self.room, self.write) = (form, room, write)
  }

  /// The lines that were lost.
  var lost: Int { state.withLock { $0.lost } }

  func add(_ entry: AccessEntry) {
    let line = form == .json ? entry.json : entry.common
    let isEnough = state.withLock { state in
      guard state.waiting.count + line.utf8.count < room else {
        state.lost += 1
        state.untold += 1
        return false
      }
      state.waiting += line.utf8
      state.waiting.append(UInt8(ascii: "\n"))
      state.waitingLines += 1
      return state.waiting.count >= Self.enough
    }
    if isEnough { flush() }
  }

  /// Has what waits be written, by another thread.
  func flush() {
    let isNeeded = state.withLock { state in
      guard !state.isWriting, !state.waiting.isEmpty else { return false }
      state.isWriting = true
      return true
    }
    guard isNeeded else { return }
    do throws(ErrorNumber) {
      try DetachedThread.start { [self] in writeAll() }
    } catch {
      // The next call tries again.
      end()
    }
  }

  /// Writes what waits; returns once that is done, or the task is cancelled.
  package func close() async {
    flush()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isIdle = state.withLock { state in
          guard state.isWriting, !Task.isCancelled else { return true }
          state.idle.append(continuation)
          return false
        }
        if isIdle { continuation.resume() }
      }
    } onCancel: {
      resume()
    }
  }

  private func writeAll() {
    while let batch = take() {
      guard !write(batch.bytes) else { continue }
      state.withLock { state in
        state.lost += batch.lines
        state.untold += batch.lines + batch.told
      }
    }
    resume()
  }

  private struct Batch: Sendable {
    var bytes: [UInt8]
    var lines: Int
    /// The lost lines that it tells of.
    var told: Int
  }

  /// What waits; at the end the thread is no more.
  private func take() -> Batch? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWriting = false
        return nil
      }
      var batch = Batch(bytes: state.waiting, lines: state.waitingLines, told: state.untold)
      if state.untold > 0 { batch.bytes += "\(notice(state.untold))\n".utf8 }
      (state.waiting, state.waitingLines, state.untold) = ([], 0, 0)
      return batch
    }
  }

  private func notice(_ count: Int) -> String {
    form == .json ? "{\"lost\":\(count)}" : "# \(count) lines were lost here: the log took none"
  }

  private func end() {
    state.withLock { $0.isWriting = false }
    resume()
  }

  private func resume() {
    let waiters = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for waiter in waiters { waiter.resume() }
  }

  private static let enough = 32 << 10
}
