internal import Synchronization

/// Whether the file has taken no more of a long answer just now, as on a full disk: for some seconds long answers are not
/// begun to be kept, nor said to be.
final class StorePause: Sendable {
  private let failedAt = Atomic(Int64.min)

  /// In milliseconds.
  private static let length: Int64 = 10_000

  /// - Parameter now: In milliseconds since the machine started.
  func fail(at now: Int64) { failedAt.store(now, ordering: .relaxed) }

  func isOver(at now: Int64) -> Bool {
    let last = failedAt.load(ordering: .relaxed)
    return last == .min || now - last >= Self.length
  }
}
