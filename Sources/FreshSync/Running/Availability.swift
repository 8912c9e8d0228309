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

/// The availabilities of the sources that a synchronizer has met so far, at one moment.
struct AvailabilityTable {
  /// One source of each account; its availability is that of all of them.
  private var sources: [RunProgress.Account: String?] = [:]
  private var availabilities: [RunProgress.Account: Availability] = [:]
  private var members: [ExactName: SyncedCollection] = [:]
  private var now: ClockReading
  private var settlement = NetworkSettlement.done

  init(at now: ClockReading) {
    self.now = now
  }

  /// The most sources checked at every turn, if none of them is closed or waited for.
  static let mostSources = 256

  /// Checks all of them anew. Where there are many, those without known waiting elements are
  /// forgotten: they are met again when an element waits.
  ///
  /// - Parameters:
  ///   - waiting: The accounts with waiting elements.
  ///   - inUse: The names of the availabilities of accounts with work under way.
  mutating func update(
    _ members: [ExactName: SyncedCollection], waiting: [RunProgress.Account] = [],
    inUse: [RunProgress.Account] = [], settlement: NetworkSettlement, at now: ClockReading
  ) throws(StoreError) {
    (self.members, self.settlement, self.now) = (members, settlement, now)
    sources = sources.filter { members[$0.key.collection] != nil }
    if sources.count > Self.mostSources {
      // Elements that wait for a closed source are on no page, so that it would not be met again.
      let kept = closed.union(waiting.map(name(of:))).union(inUse)
      sources = sources.filter { kept.contains($0.key) }
    }
    availabilities = [:]
    for member in members.values {
      guard case .alike(let policy) = member.asking else { continue }
      let account = RunProgress.Account(
        collection: member.name, origin: policy.origin?.name ?? member.name)
      sources[account] = .some(nil)
    }
    for (account, address) in sources { try note(account, address) }
  }

  /// Meets a source; false when it was known.
  mutating func meet(_ account: RunProgress.Account, _ address: String?) throws(StoreError) -> Bool
  {
    guard members[account.collection] != nil else { return false }
    let account = name(of: account)
    guard availabilities[account] == nil else { return false }
    sources[account] = .some(address)
    try note(account, address)
    return true
  }

  /// The availability of an account's source; `nil` when it was not met, or is not asked.
  func of(_ account: RunProgress.Account) -> Availability? { availabilities[name(of: account)] }

  /// The name of the availability of an account's source.
  func name(of account: RunProgress.Account) -> RunProgress.Account {
    members[account.collection]?.availability(of: account) ?? account
  }

  /// The accounts that are closed now.
  var closed: Set<RunProgress.Account> { Set(availabilities.filter { !$0.value.isOpen }.keys) }

  /// The number of known sources.
  var count: Int { sources.count }

  /// Each with its name.
  var all: [(origin: String, availability: Availability)] {
    availabilities.map { ($0.key.origin, $0.value) }
  }

  /// True when a loss of the network that no change reports may keep a source from being asked.
  var hasAssumedOffline: Bool {
    availabilities.contains { account, availability in
      guard case .offline = availability, case .bySource = members[account.collection]?.asking
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
