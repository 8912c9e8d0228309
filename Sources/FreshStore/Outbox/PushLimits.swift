internal import Strategies

/// How long a local write is tried, and how long one attempt may take.
package struct PushLimits: Sendable, Hashable {
  /// The number of failed attempts after which a write is parked, and of conflicts in a row after which
  /// one is parked whose resolution meets yet another; `nil` for no end.
  package var attempts: Int?
  /// The time since its first attempt after which a write that fails once more is parked; `nil` for no
  /// end. A retry and a correction begin a first attempt anew, and the count of attempts and conflicts.
  package var age: Duration?
  /// The bytes a second that an upload makes at the least: an attempt may take longer by so much.
  package var slowestUpload: Int?

  /// No limits.
  package init(attempts: Int? = nil, age: Duration? = nil, slowestUpload: Int? = nil) {
    self.attempts = attempts
    self.age = age
    self.slowestUpload = slowestUpload
  }

  /// The time that an attempt may take, within a day.
  func time(_ hardTimeout: Duration, size: Int) -> Duration {
    guard let slowestUpload, slowestUpload > 0 else { return hardTimeout }
    // Whole seconds: small bodies end at the hard timeout itself.
    let allowance = Duration.seconds(size / slowestUpload)
    return hardTimeout + min(allowance, Backoff.longestNamed)
  }

  /// Why a write that has failed once more is not tried again; `nil` when it is.
  ///
  /// - Parameters:
  ///   - write: The entry with the attempt that has failed.
  ///   - now: By the clock that its times are on.
  func end(_ write: StoredWrite, at now: Timestamp) -> String? {
    let attempts = Int(write.tries)
    if let limit = self.attempts, attempts >= limit {
      return "given up after \(attempts) attempts"
    }
    if let age, attempts > 1, let first = write.triedAt, now.duration(since: first) >= age {
      return "given up \(age.brief) after its first attempt"
    }
    return nil
  }

  /// Why a write whose resolution has met a conflict is not resolved once more; `nil` when it is.
  func end(contested write: StoredWrite) -> String? {
    // The conflict that it has just met is not counted in it yet.
    let conflicts = Int(write.conflicts.oneMore)
    guard let attempts, conflicts >= attempts else { return nil }
    return "given up after \(conflicts) conflicts"
  }
}
