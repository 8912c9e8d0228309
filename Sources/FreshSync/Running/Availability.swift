internal import FreshStore
internal import Strategies

/// The availability of a collection's source at one moment.
enum Availability: Hashable {
  case open
  /// One attempt at a time.
  case trial
  /// One new attempt at a time, because the network comes and goes.
  case cautious
  /// No attempt for the duration.
  case paused(Duration)
  /// No attempt until an application ends the hold.
  case held(String)
  case offline(String)

  /// True when something may be sent.
  var isOpen: Bool { self == .open || self == .trial || self == .cautious }

  /// The availability in this state. While the network settles, an available source is paused, or asked with caution.
  init(_ state: SourceState, at now: ClockReading, settlement: NetworkSettlement) {
    if case .waiting(let rest) = settlement, state == .open || state == .trial {
      self = .paused(rest)
      return
    }
    if case .cautious = settlement, state == .open {
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

/// The availabilities of the known sources of a synchronizer, at one moment.
struct AvailabilityTable {
  /// The address of one source of each account; all sources of an account have one availability.
  private var sources: [RunProgress.Account: String?] = [:]
  private var availabilities: [RunProgress.Account: Availability] = [:]
  private var members: [ExactName: SyncedCollection] = [:]
  private var now: ClockReading
  private var settlement = NetworkSettlement.done

  init(at now: ClockReading) {
    self.now = now
  }

  /// The most sources checked at every turn, if none of them is closed or has pending work.
  static let mostSources = 256

  /// Checks all sources anew. If there are many, it forgets those without pending elements, until the next element
  /// brings them back.
  ///
  /// - Parameters:
  ///   - waiting: The accounts with pending elements.
  ///   - inUse: The names of the availabilities of accounts with work in flight.
  mutating func update(
    _ members: [ExactName: SyncedCollection], waiting: [RunProgress.Account] = [],
    inUse: [RunProgress.Account] = [], settlement: NetworkSettlement, at now: ClockReading
  ) throws(StoreError) {
    (self.members, self.settlement, self.now) = (members, settlement, now)
    sources = sources.filter { members[$0.key.collection] != nil }
    if sources.count > Self.mostSources {
      // Elements for a closed source are on no page, so that nothing would bring the source back.
      let kept = closed.union(waiting.map(name(of:))).union(inUse)
      sources = sources.filter { kept.contains($0.key) }
    }
    availabilities = [:]
    for member in members.values {
      guard case .alike(let policy) = member.policies else { continue }
      let account = RunProgress.Account(
        collection: member.name, origin: policy.origin?.name ?? member.name)
      sources[account] = .some(nil)
    }
    for (account, address) in sources { try note(account, address) }
  }

  /// Adds a source; false when it was known.
  mutating func add(_ account: RunProgress.Account, _ address: String?) throws(StoreError) -> Bool {
    guard members[account.collection] != nil else { return false }
    let account = name(of: account)
    guard availabilities[account] == nil else { return false }
    sources[account] = .some(address)
    try note(account, address)
    return true
  }

  /// The availability of an account's source; `nil` when the source is unknown, or is not asked.
  func of(_ account: RunProgress.Account) -> Availability? { availabilities[name(of: account)] }

  /// The name of the availability of an account's source.
  func name(of account: RunProgress.Account) -> RunProgress.Account {
    members[account.collection]?.availability(of: account) ?? account
  }

  /// The accounts that are closed now.
  var closed: Set<RunProgress.Account> { Set(availabilities.filter { !$0.value.isOpen }.keys) }

  /// The number of known sources.
  var count: Int { sources.count }

  var all: [(origin: String, availability: Availability)] {
    availabilities.map { ($0.key.origin, $0.value) }
  }

  /// True when a source may be out of reach because of a loss of the network that no change reports.
  var hasAssumedOffline: Bool {
    availabilities.contains { account, availability in
      guard case .offline = availability, case .bySource = members[account.collection]?.policies
      else {
        return false
      }
      return true
    }
  }

  private mutating func note(
    _ account: RunProgress.Account, _ address: String?
  ) throws(StoreError) {
    guard let member = members[account.collection], let policy = member.policy(of: address) else {
      return
    }
    availabilities[account] = Availability(
      try member.sourceState(policy), at: now,
      settlement: policy.reachability == .ask ? settlement : .done)
  }
}
