internal import Platform
internal import Synchronization

/// The log of requests: a line for each that was answered, in the common form or as JSON.
///
/// Entries wait in memory until enough have come, or until ``flush()``. A thread of its own makes lines of them and
/// writes them: a log that takes none for a while, such as a pipe that nobody reads, holds up no answer. What finds
/// no room then is lost, and counted.
package final class AccessLog: Sendable {
  package enum Form: String, Sendable {
    case common
    case json
  }

  private struct State {
    var waiting: [AccessEntry] = []
    /// The bytes that they take, about.
    var size = 0
    var isWriting = false
    /// Of all lines, and of those that the log has not been told of.
    var lost = 0
    var untold = 0
    var idle: [CheckedContinuation<Void, Never>] = []
  }

  let form: Form
  private let write: @Sendable ([UInt8]) -> Bool
  private let room: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - room: The most bytes that may wait.
  ///   - write: Writes whole lines, and may block; called by one thread at a time. False when they are lost.
  package init(
    _ form: Form, room: Int = 16 << 20, write: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    (self.form, self.room, self.write) = (form, room, write)
  }

  /// The lines that were lost.
  var lost: Int { state.withLock { $0.lost } }

  func add(_ entry: AccessEntry) {
    let isEnough = state.withLock { state in
      guard state.size + entry.size <= room else {
        state.lost += 1
        state.untold += 1
        return false
      }
      state.waiting.append(entry)
      state.size += entry.size
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
      for waiter in state.withLock({ Self.end(&$0) }) { waiter.resume() }
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
      let waiters = state.withLock { state in
        defer { state.idle = [] }
        return state.idle
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  private func writeAll() {
    while let batch = take() {
      guard !write(bytes(of: batch)) else { continue }
      state.withLock { state in
        state.lost += batch.entries.count
        state.untold += batch.entries.count + batch.told
      }
    }
  }

  private struct Batch: Sendable {
    var entries: [AccessEntry]
    /// The lost lines that it tells of.
    var told: Int
  }

  /// What waits; without any the thread is no more.
  private func take() -> Batch? {
    let (batch, waiters) = state.withLock { state -> (Batch?, [CheckedContinuation<Void, Never>]) in
      guard !state.waiting.isEmpty else { return (nil, Self.end(&state)) }
      let batch = Batch(entries: state.waiting, told: state.untold)
      (state.waiting, state.size, state.untold) = ([], 0, 0)
      return (batch, [])
    }
    for waiter in waiters { waiter.resume() }
    return batch
  }

  /// Nobody writes any longer; those who waited for that.
  private static func end(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    state.isWriting = false
    defer { state.idle = [] }
    return state.idle
  }

  private func bytes(of batch: Batch) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in batch.entries {
      bytes += (form == .json ? entry.json : entry.common).utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    if batch.told > 0 { bytes += "\(notice(batch.told))\n".utf8 }
    return bytes
  }

  private func notice(_ count: Int) -> String {
    form == .json ? "{\"lost\":\(count)}" : "# \(count) lines were lost here: the log took none"
  }

  private static let enough = 256
}
