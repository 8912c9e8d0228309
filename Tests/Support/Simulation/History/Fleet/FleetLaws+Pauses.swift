import FreshStore
import Synchronization

/// Pauses of origins: a host that was told of one asks the origin nothing before its end, unless by hand.
extension FleetLaws {
  /// The known pauses, by the names of origins; all ends are by the tier's clock.
  struct Pauses: Sendable {
    /// The pauses that the tier holds.
    var standing: [String: Duration] = [:]
    /// The pauses that each host was told of since the last rest; it has stored them by the next
    /// one.
    var told: [[String: Duration]]
    /// The pauses that each host was told of before.
    var known: [[String: Duration]]
    /// The origins whose pauses may have ended on each host since the last rest.
    var released: [Set<String>]
    /// True once a clock was set, or the network changed: both end pauses on their host.
    var isForgiven = false

    init(hosts: Int) {
      told = Array(repeating: [:], count: hosts)
      known = Array(repeating: [:], count: hosts)
      released = Array(repeating: [], count: hosts)
    }
  }

  // MARK: The tier

  /// The tier has paused an origin, or has ended its pause.
  func note(pause: SharedPause?, of origin: String) {
    let now = now
    state.withLock { state in
      guard let pause else {
        state.pauses.standing[origin] = nil
        for host in state.pauses.known.indices { state.pauses.release(origin, on: host) }
        return
      }
      let end = now + pause.duration
      state.pauses.standing[origin] = max(state.pauses.standing[origin] ?? .zero, end)
    }
  }

  /// The tier has ended all of them.
  func noteEndOfPauses() {
    let origins = state.withLock { Array($0.pauses.standing.keys) }
    for origin in origins { note(pause: nil, of: origin) }
  }

  /// The ends of the pauses that the tier has to tell of now.
  func pauses(of origins: [String]) -> [String: Duration] {
    let now = now
    return state.withLock { state in
      state.pauses.standing.filter { $0.value > now && origins.contains($0.key) }
    }
  }

  // MARK: Hosts

  /// A host is told, whatever the tier has said.
  func hear(pauses ends: [String: Duration], on host: Int) {
    state.withLock { state in
      for (origin, end) in ends where !state.pauses.released[host].contains(origin) {
        state.pauses.told[host][origin] = end
      }
    }
  }

  /// Something may have ended the pause of an origin on a host: an answer of its source, or a caller.
  func release(_ origin: String, on host: Int) {
    state.withLock { $0.pauses.release(origin, on: host) }
  }

  /// A caller may have ended the pauses of the origins of collections.
  func release(_ collections: ClosedRange<Int>, on host: Int) {
    for collection in collections { release(HistoryLife.origin(collection).name, on: host) }
  }

  func forgivePauses() { state.withLock { $0.pauses.isForgiven = true } }

  /// A host asks an origin, and not by hand.
  func judge(asking origin: String, on host: Int, by who: String) {
    let now = now
    state.withLock { state in
      guard !state.hasLock, !state.pauses.isForgiven, let end = state.pauses.known[host][origin],
        end > now
      else { return }
      history.find("\(who) asks \(origin), and its host was told that it is paused for the fleet")
    }
  }
}

extension FleetLaws.Pauses {
  mutating func release(_ origin: String, on host: Int) {
    (told[host][origin], known[host][origin]) = (nil, nil)
    released[host].insert(origin)
  }

  /// Every process has dealt with what it was told.
  mutating func noteRest() {
    for host in known.indices {
      known[host].merge(told[host]) { _, end in end }
      (told[host], released[host]) = ([:], [])
    }
  }

  /// The tier is another one.
  mutating func loseTrack() {
    let isForgiven = isForgiven
    self = Self(hosts: known.count)
    self.isForgiven = isForgiven
  }
}
