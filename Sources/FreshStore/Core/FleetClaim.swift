internal import Strategies

/// A key that the host may fetch as far as its own lease goes, and what it has learned of the fleet meanwhile.
struct FleetClaim: Sendable {
  /// The host's own.
  var lease: Lease
  /// The edition of the fleet's record that is of no use here.
  var known: Int64?
  /// True when what another host has does not help: the caller asks always, or a mark of this host may be newer.
  var asksAlways = false
  /// False for a caller that does not ask the source.
  var takesLease = true
  /// True when another host was fetching the key.
  var hasWaited = false
  /// How often a record was found and outdated when it arrived.
  private var misses = 0

  /// After so many the source is asked, whatever is found.
  private static let mostMisses = 3

  init(_ lease: Lease, asksAlways: Bool = false, takesLease: Bool = true) {
    (self.lease, self.asksAlways, self.takesLease) = (lease, asksAlways, takesLease)
  }

  /// Takes note of what became of a record that was found; true when the fleet is to be asked again.
  mutating func mustRepeat(after result: Storage.FleetUpdateResult) -> Bool {
    if result.outdated.contains(lease.key) {
      misses += 1
      asksAlways = asksAlways || misses >= Self.mostMisses
      return true
    }
    guard let renumbered = result.doubted[lease.key] else { return false }
    (lease, asksAlways) = (renumbered, true)
    return true
  }
}

/// The fleet's answer to claims, and what its news depend on.
struct FleetReply: Sendable {
  let results: [SharedKey: SharedClaimResult]
  let news: SharedNews
  let question: FleetQuestion
  /// When the answer had come.
  let heard: ClockReading

  /// The update of this host that the reply asks for.
  func meeting(holding duration: Duration) -> Storage.FleetUpdate {
    var meeting = Storage.FleetUpdate(news, since: question.position)
    meeting.holding = duration
    return meeting
  }
}

extension Store {
  /// Asks the fleet for records or leases in one round trip.
  func claim(
    _ claims: [SharedClaim], in fleet: FleetMember, bringsNews: Bool = true
  ) async throws(StoreError) -> FleetReply {
    let question = try await question(to: fleet)
    let duration = configuration.leaseDuration
    let answer = try await ask(fleet, for: .claim, bringsNews: bringsNews) {
      (tier) async throws(SharedTierError) in
      try await tier.claim(claims, owner: fleet.host, for: duration, since: question.position)
    }
    return FleetReply(
      results: answer.value, news: answer.news, question: question, heard: now())
  }
}

/// The state of this host at a request to the fleet: the news of the answer depend on it.
struct FleetQuestion: Sendable {
  /// The host's place in the order of marks; `nil` before the first news.
  let position: SharedPosition?
  /// How often the tier had gone out of reach by then.
  let outages: Int
  /// How often the host had heard of marks that were not applied then.
  let falls: Int
}

/// The fleet's leases that a call holds while it asks the source.
struct FleetPart: Sendable {
  /// `nil` for a host alone.
  var fleet: FleetMember?
  /// The fleet's leases, by key.
  var leases: [String: SharedLease] = [:]
  /// When the host heard of them; `nil` without leases.
  var heard: ClockReading?
  /// The reason why the host goes on alone; `nil` when it does not.
  var obstacle: StoreError?

  /// True where there is nothing to be kept.
  var isNone: Bool { fleet == nil || leases.isEmpty }

  /// A host without a fleet.
  static let none = FleetPart()

  /// Moves the ends of the leases once. An error loses nothing: the next round tries again, and a lease that has ended
  /// costs a second fetch.
  func extend(for duration: Duration) async {
    guard let fleet, !leases.isEmpty else { return }
    do throws(SharedTierError) {
      _ = try await fleet.tier.extend(inOrder, for: duration)
    } catch {
      // The landing will tell.
    }
  }

  /// Gives leases back, and waits for nothing.
  func release(
    _ released: [SharedLease], pausing pause: SharedPause? = nil, reporting store: Store
  ) {
    guard let fleet, !released.isEmpty else { return }
    fleet.call {
      do throws(SharedTierError) {
        try await fleet.tier.release(released, pausing: pause)
      } catch {
        // They end by themselves.
        store.report(.wentAlone(error))
      }
    }
  }

  /// Gives all leases back.
  func releaseAll(reporting store: Store) { release(inOrder, reporting: store) }

  private var inOrder: [SharedLease] { leases.sorted { $0.key < $1.key }.map(\.value) }
}
