internal import FreshStore
internal import Strategies

/// How the sources stand that a synchronizer has met so far, at one moment.
struct Standings {
  /// One source of each, by which it is asked how all of them stand.
  private var sources: [Ledger.Account: String?] = [:]
  private var standings: [Ledger.Account: Standing] = [:]
  private var members: [ExactName: SyncedCollection] = [:]
  private var now: ClockReading
  private var settling = Duration.zero

  init(at now: ClockReading) {
    self.now = now
  }

  /// How many sources are asked for at every turn, if none of them is closed or waited for.
  static let mostSources = 256

  /// Looks at all of them anew. Where there are many, those are forgotten that nothing is known to
  /// wait for: they are met again when something does.
  ///
  /// - Parameters:
  ///   - waiting: Those that something waits for.
  ///   - inUse: The names under which it is known how those stand of which something is under way.
  mutating func update(
    _ members: [ExactName: SyncedCollection], waiting: [Ledger.Account] = [],
    inUse: [Ledger.Account] = [], settling: Duration, at now: ClockReading
  ) throws(StoreError) {
    (self.members, self.settling, self.now) = (members, settling, now)
    sources = sources.filter { members[$0.key.collection] != nil }
    if sources.count > Self.mostSources {
      // What waits for a closed one is on no page, so that it would not be met again.
      let kept = closed.union(waiting.map(name(of:))).union(inUse)
      sources = sources.filter { kept.contains($0.key) }
    }
    standings = [:]
    for member in members.values {
      guard case .alike(let policy) = member.asking else { continue }
      let account = Ledger.Account(collection: member.name, origin: policy.origin ?? member.name)
      sources[account] = .some(nil)
    }
    for (account, source) in sources { try note(account, source) }
  }

  /// Meets a source; false when it was known.
  mutating func meet(_ account: Ledger.Account, _ source: String?) throws(StoreError) -> Bool {
    guard members[account.collection] != nil else { return false }
    let account = name(of: account)
    guard standings[account] == nil else { return false }
    sources[account] = .some(source)
    try note(account, source)
    return true
  }

  /// How the source of an account stands; `nil` when it was not met, or is not asked.
  func of(_ account: Ledger.Account) -> Standing? { standings[name(of: account)] }

  /// Under which name it is known how the source of an account stands.
  func name(of account: Ledger.Account) -> Ledger.Account {
    members[account.collection]?.standing(of: account) ?? account
  }

  /// Those that nothing is sent to now.
  var closed: Set<Ledger.Account> { Set(standings.filter { !$0.value.isOpen }.keys) }

  /// How many are known.
  var count: Int { sources.count }

  /// Each with its name.
  var all: [(origin: String, standing: Standing)] { standings.map { ($0.key.origin, $0.value) } }

  /// True when the loss of a network that nobody tells of may keep a source from being asked.
  var hasAssumedOffline: Bool {
    standings.contains { account, standing in
      guard case .offline = standing, case .bySource = members[account.collection]?.asking else {
        return false
      }
      return true
    }
  }

  private mutating func note(
    _ account: Ledger.Account, _ source: String?
  ) throws(StoreError) {
    guard let member = members[account.collection], let policy = member.policy(of: source) else {
      return
    }
    standings[account] = Standing(
      try member.sourceState(policy), at: now,
      settling: policy.reachability == .ask ? settling : .zero)
  }
}
