#if Fleet
  internal import FreshStore

  /// Decides whether calls are sent at all: pure state, without a clock.
  ///
  /// It opens after failures in a row, and at once when there is no connection to be had. While it is open
  /// calls fail at once with what opened it, and the ``Watch`` asks in their place; what it reaches is open
  /// to calls again, the first failure of which closes the way once more.
  struct TierBreaker: Sendable {
    private enum State {
      /// Nothing was ever answered.
      case unknown(failures: Int)
      case closed(failures: Int)
      case open(SharedTierError)
    }

    private var state = State.unknown(failures: 0)
    private let threshold: Int
    /// How often it has opened.
    private(set) var outages = 0

    init(threshold: Int) {
      self.threshold = threshold
    }

    /// The reason why no call is sent; `nil` when one may be.
    var refusal: SharedTierError? {
      guard case .open(let error) = state else { return nil }
      return error
    }

    var reach: SharedTierReach {
      switch state {
      case .unknown: .unknown
      case .closed: .reached
      case .open(let error): .outOfReach(error)
      }
    }

    mutating func noteAnswer() {
      // A late answer of a call from before is none of the present state.
      if case .open = state { return }
      state = .closed(failures: 0)
    }

    /// Returns true when this opens it.
    mutating func noteFailure(_ error: SharedTierError, opens: Bool = false) -> Bool {
      var error = error
      error.isUncertain = false
      switch state {
      case .open: return false
      case .closed(let failures) where !opens && failures + 1 < threshold:
        state = .closed(failures: failures + 1)
        return false
      case .unknown(let failures) where !opens && failures + 1 < threshold:
        state = .unknown(failures: failures + 1)
        return false
      case .unknown, .closed:
        state = .open(error)
        outages += 1
        return true
      }
    }

    /// The probe has come through.
    mutating func noteReached() {
      switch state {
      case .open: state = .closed(failures: threshold - 1)
      case .unknown(let failures): state = .closed(failures: failures)
      case .closed: break
      }
    }
  }
#endif
