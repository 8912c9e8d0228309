internal import Synchronization

/// How long the tier was silent to a host, in the time in which its alarms ring.
extension FleetLaws {
  /// The time since the last answer to any process of one host.
  struct Silence: Sendable {
    /// `nil` before the first answer.
    var lasts: Duration?
    /// The last rest before it was too long.
    var quiet = 0
    /// How long it was when it was first found to be too long.
    var found: Duration?
    /// Copies from before this event were taken as stale because of the silence.
    var suspected = 0
  }

  /// Time has passed for hosts whose alarms ring.
  func noteAwake(_ hosts: [Int], for seconds: Int) {
    state.withLock { state in
      for host in hosts {
        state.silences[host].lasts = state.silences[host].lasts.map { $0 + .seconds(seconds) }
      }
    }
  }
}

extension FleetLaws.State {
  mutating func noteWord(to host: Int) {
    (silences[host].lasts, silences[host].found) = (.zero, nil)
  }

  /// Every process has dealt with the time that has passed. A last question may still be in flight
  /// until more time passes.
  mutating func noteSilences(at rest: Int) {
    guard let longestAlone else { return }
    for host in silences.indices {
      guard let lasts = silences[host].lasts, lasts >= longestAlone else {
        silences[host].quiet = rest
        continue
      }
      guard let found = silences[host].found else {
        silences[host].found = lasts
        continue
      }
      if lasts > found { silences[host].suspected = silences[host].quiet }
    }
  }
}
