internal import FreshStore
internal import Strategies

/// The availability of a collection's source at one moment.
enum Availability: Hashable {
  case open
  /// One attempt at a time.
  case trial
  /// Left alone for the duration.
  case paused(Duration)
  /// Left alone until an application says so.
  case held(String)
  case offline(String)

  /// True when something may be sent.
  var isOpen: Bool { self == .open || self == .trial }

  /// An available source is left alone while the network settles.
  init(_ state: SourceState, at now: ClockReading, settling: Duration) {
    if settling > .zero, state == .open || state == .trial {
      self = .paused(settling)
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
