internal import FreshHTTP
internal import Strategies

/// A stored answer for the key of a request, as it stands now.
struct Candidate: Sendable, Hashable {
  /// What others have said of it since it came.
  enum Mark: Sendable, Hashable {
    case none
    /// It is to be fetched again, and stands in for it until then.
    case stale
    /// It must not be used before it is validated (RFC 9111 section 4.4).
    case invalid
  }

  let answer: StoredAnswer
  /// The time since ``StoredAnswer/receivedAt`` (`resident_time`), by a clock that is never set where
  /// there is one.
  let residentTime: Duration
  let mark: Mark
  /// The time since the mark.
  let markAge: Duration

  init(
    _ answer: StoredAnswer, residentTime: Duration, mark: Mark = .none, markAge: Duration = .zero
  ) {
    self.answer = answer
    self.residentTime = max(.zero, residentTime)
    self.mark = mark
    self.markAge = markAge
  }

  /// `current_age` of RFC 9111 section 4.2.3.
  var age: Duration { answer.initialAge + residentTime }

  /// The age that clients are told. No field tells them of a mark: a cache behind this one would take a marked copy that
  /// stands in for fresh, so its age is at least the lifetime that its fields state.
  var statedAge: Duration { mark == .none ? age : max(age, answer.greatestLifetime) }

  /// How long it will be fresh; negative for how long it is not. A marked one is not since its mark, at
  /// the latest.
  var freshFor: Duration {
    let left = (answer.terms.lifetime ?? .zero) - age
    return mark == .none ? left : min(left, .zero - markAge)
  }

  /// RFC 9111 section 4.2: the lifetime is greater than the age.
  var isFresh: Bool { freshFor > .zero && mark == .none }

  var staleness: Duration { max(.zero, .zero - freshFor) }
}
