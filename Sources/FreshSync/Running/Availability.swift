internal import FreshStore
internal import Strategies

/// The availability of a collection's source at one moment.
enum Availability: Hashable {
  case open
  /// One attempt at a time.
  case trial
  /// One new attempt at a time: the network comes and goes.
  case cautious
  /// Left alone for the duration.
  case paused(Duration)
  /// Left alone until an application says so.
  case held(String)
  case offline(String)

  /// True when something may be sent.
  var isOpen: Bool { self == .open || self == .trial || self == .cautious }

  /// An available source is left alone, or asked with caution, while the network settles.
  init(_ state: SourceState, at now: ClockReading, settling: Settling) {
    if case .waiting(let rest) = settling, state == .open || state == .trial {
      self = .paused(rest)
      return
    }
    if case .cautious = settling, state == .open {
      self = .cautious
      return
    }
    self =
      switch state {
      case .open: .open
      case .trial: .trial
      case .paused(let until, _): .paused(max(.milliseconds(1), until.duration(since: now.wall)))
      case .held(let reason): .held(reason)
      case .offline(let cause): .offline(cause)
      }
  }
}
