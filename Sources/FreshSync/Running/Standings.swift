internal import FreshStore
internal import Strategies

/// The standings of the sources that a synchronizer has met so far, at one moment.
struct Standings {
  /// One source of each account; its standing is that of all of them.
  private var sources: [Ledger.Account: String?] = [:]
  private var standings: [Ledger.Account: Standing] = [:]
  private var members: [ExactName: SyncedCollection] = [:]
  private var now: ClockReading
  private var settling = Duration.zero

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
  ///   - inUse: The names of the standings of accounts with work under way.
  mutating func update(
    _ members: [ExactName: SyncedCollection], waiting: [Ledger.Account] = [],
    inUse: [Ledger.Account] = [], settling: Duration, at now: ClockReading
  ) throws(StoreError) {
    (self.members, self.settling, self.now) = (members, settling, now)
    sources = sources.filter { members[$0.key.collection] != nil }
    if sources.count > Self.mostSources {
      // Elements that wait for a closed source are on no page, so that it would not be met again.
      let kept = closed.union(waiting.map(name(of:))).union(inUse)
      sources = sources.filter { kept.contains($0.key) }
    }
    standings = [:]
    for member in members.values {
      guard case .alike(let policy) = member.asking else { continue }
      let account = Ledger.Account(
        collection: member.name, origin: policy.origin?.name ?? member.name)
      sources[account] = .some(nil)
    }
    for (account, address) in sources { try note(account, address) }
  }

  /// Meets a source; false when it was known.
  mutating func meet(_ account: Ledger.Account, _ address: String?) throws(StoreError) -> Bool {
    guard members[account.collection] != nil else { return false }
    let account = name(of: account)
    guard standings[account] == nil else { return false }
    sources[account] = .some(address)
    try note(account, address)
    return true
  }

  /// The standing of an account's source; `nil` when it was not met, or is not asked.
  func of(_ account: Ledger.Account) -> Standing? { standings[name(of: account)] }

  /// The name of the standing of an account's source.
  func name(of account: Ledger.Account) -> Ledger.Account {
    members[account.collection]?.standing(of: account) ?? account
  }

  /// The accounts that are closed now.
  var closed: Set<Ledger.Account> { Set(standings.filter { !$0.value.isOpen }.keys) }

  /// The number of known sources.
  var count: Int { sources.count }

  /// Each with its name.
  var all: [(origin: String, standing: Standing)] { standings.map { ($0.key.origin, $0.value) } }

  /// True when a loss of the network that no change reports may keep a source from being asked.
  var hasAssumedOffline: Bool {
    standings.contains { account, standing in
      guard case .offline = standing, case .bySource = members[account.collection]?.asking else {
        return false
      }
      return true
    }
  }

  private mutating func note(
    _ account: Ledger.Account, _ address: String?
  ) throws(StoreError) {
    guard let member = members[account.collection], let policy = member.policy(of: address) else {
      return
    }
    standings[account] = Standing(
      try member.sourceState(policy), at: now,
      settling: policy.reachability == .ask ? settling : .zero)
  }
}
