/// The evidence of a process about the way to the source, from its own fetches and pushes.
///
/// Moments are milliseconds since the machine was started.
enum ModelRoute: Hashable {
  case unknown
  /// An attempt was answered.
  case open(at: Int64)
  /// This many attempts in a row got no answer: a caller with a copy to serve does not try until then.
  case silent(times: Int, at: Int64, next: Int64)

  /// An attempt that began then was answered, or took too long.
  mutating func note(isAnswered: Bool, began: Int64, at now: Int64) {
    guard !isAnswered else {
      self = .open(at: now)
      return
    }
    let before: Int
    switch self {
    case .unknown: before = 0
    case .open(let moment):
      // A later answer speaks for the way.
      guard began >= moment else { return }
      before = 0
    case .silent(let times, let moment, _):
      // Of concurrent attempts one counts.
      guard began >= moment else { return }
      before = times
    }
    let pause = Int64(Double(Self.longestPause(after: before + 1)) * Setting.chance)
    self = .silent(times: before + 1, at: now, next: now + pause)
  }

  /// The end of the current pause.
  func pause(at now: Int64) -> Int64? {
    guard case .silent(_, _, let next) = self, now < next else { return nil }
    return next
  }

  /// True when one attempt at a time is a trial of the way.
  var isOnTrial: Bool { if case .silent = self { true } else { false } }

  /// Lets an attempt through, which puts the next one off.
  mutating func admit(at now: Int64) {
    if case .silent(let times, let moment, _) = self {
      self = .silent(times: times, at: moment, next: now + Self.longestPause(after: times))
    }
  }

  private static func longestPause(after times: Int) -> Int64 {
    min(60_000, 1000 << Int64(min(times - 1, 6)))
  }
}
