import FreshStore
import FreshStoreTesting
import Synchronization

/// The hosts of a history share this: the tier, its clock, and the ways to it.
final class HistoryFleet: Sendable {
  /// The way of one host.
  private struct Way {
    var cut: HistoryFleetEvent.Direction?
    var isDeaf = false
    var refusesMarks = false
    /// The fates of the next calls.
    var fates: [HistoryFleetEvent.Fate] = []
  }

  private struct State {
    var ways: [Way]
    var dozing: Set<Int> = []
    var late: [HistoryMessage] = []
    /// The ways of processes, by store.
    var members: [Int: HistoryTier] = [:]
    /// Those of dead ones.
    var dead: [HistoryTier] = []
    var saved: InMemorySharedTier.Snapshot?
  }

  let clock: ManualClock
  let tier: WatchedTier
  let laws: FleetLaws
  private let setting: HistoryFleetSetting
  private let state: Mutex<State>

  init(
    _ setting: HistoryFleetSetting, _ history: History, stores: Int, hasTwins: Bool,
    flaw: HistoryFlaw?
  ) {
    let clock = ManualClock()
    let inner = InMemorySharedTier(now: { clock.now.elapsed })
    inner.limitNews(to: setting.newsLimit)
    let laws = FleetLaws(
      history, hosts: setting.clocks.count, stores: stores, hasTwins: hasTwins,
      longestAlone: setting.longestAlone, clock: clock)
    (self.setting, self.clock, self.laws) = (setting, clock, laws)
    tier = WatchedTier(inner, laws, withholding: setting.withheld, flaw: flaw)
    state = Mutex(State(ways: Array(repeating: Way(), count: setting.clocks.count)))
  }

  // MARK: Members

  /// Makes a new process part of the fleet.
  func admit(_ store: Int, to configuration: inout Configuration) {
    let host = store % setting.clocks.count
    let member = HistoryTier(store, of: host, in: self)
    state.withLock { $0.members[store] = member }
    configuration.sharedTier = member
    configuration.fleet.host = "host \(host)"
    configuration.fleet.outOfReach = setting.keepsMarks ? .keepMarks : .refuseMarks
    configuration.fleet.longestAlone = setting.longestAlone.map { .seconds($0) }
  }

  /// A process dies.
  func bury(_ store: Int) {
    let member = state.withLock { state in
      let member = state.members.removeValue(forKey: store)
      if let member { state.dead.append(member) }
      return member
    }
    member?.die()
    laws.bury(store)
  }

  /// Lets all calls end.
  func end() {
    settle()
    let members = state.withLock { state in
      // They know the fleet, too.
      defer { (state.members, state.dead) = ([:], []) }
      return state.members.sorted { $0.key < $1.key }.map(\.value) + state.dead
    }
    for member in members { member.end() }
  }

  /// Some of the living members, in the order of their stores.
  private func members(
    where isIncluded: (HistoryTier) -> Bool
  ) -> [HistoryTier] {
    let members = state.withLock { state in
      state.members.sorted { $0.key < $1.key }.map(\.value)
    }
    return members.filter(isIncluded)
  }

  func isDozing(_ host: Int) -> Bool { state.withLock { $0.dozing.contains(host) } }

  /// Time has passed, and the alarms of all but the dozing hosts have rung.
  func noteAwake(for seconds: Int) {
    laws.noteAwake(setting.clocks.indices.filter { !isDozing($0) }, for: seconds)
  }

  // MARK: Messages

  /// The fate of a call that begins now; `nil` for none.
  func takeFate(of host: Int) -> HistoryFleetEvent.Fate? {
    state.withLock { state in
      switch state.ways[host].cut {
      case .requests, .both: return .requestLost
      case .answers: return .answerLost
      case nil: break
      }
      return state.ways[host].fates.isEmpty ? nil : state.ways[host].fates.removeFirst()
    }
  }

  /// True when the tier takes no marks of a host.
  func refusesMarks(of host: Int) -> Bool { state.withLock { $0.ways[host].refusesMarks } }

  func hold(_ message: HistoryMessage) { state.withLock { $0.late.append(message) } }

  /// Tells every host that hears that there is news.
  func announce() {
    let deaf = state.withLock { state in
      Set(state.ways.indices.filter { state.ways[$0].isDeaf || state.ways[$0].cut != nil })
    }
    for member in members(where: { !deaf.contains($0.host) }) { member.announce() }
  }

  /// Some time has passed. Callers give up late messages. Hosts look for a tier that was out of
  /// reach, and ask for news.
  func tick() {
    let (late, cut) = state.withLock { state in
      (state.late, Set(state.ways.indices.filter { state.ways[$0].cut != nil }))
    }
    for message in late { message.giveUp() }
    for member in members(where: { !cut.contains($0.host) }) { member.probe() }
    // A host that hears nothing asks.
    for member in members(where: { _ in true }) {
      if case .outOfReach = member.reach { continue }
      member.announce()
    }
  }

  // MARK: Events

  func begin(_ event: HistoryFleetEvent) {
    switch event {
    case .disturb(let host, let fate, let calls):
      change(host) { $0.fates += Array(repeating: fate, count: calls) }
    case .cut(let host, let direction): change(host) { $0.cut = direction }
    case .join(let host):
      change(host) { way in
        let refusesMarks = way.refusesMarks
        way = Way()
        way.refusesMarks = refusesMarks
      }
      for member in members(where: { $0.host == host }) { member.probe() }
    case .deafen(let host, let isDeaf): change(host) { $0.isDeaf = isDeaf }
    case .refuse(let host, let isRefusing): change(host) { $0.refusesMarks = isRefusing }
    case .deliver(let which):
      let message = state.withLock { state in
        state.late.isEmpty ? nil : state.late.remove(at: which % state.late.count)
      }
      if let message { Task { await message.arrive() } }
    case .doze(let host, let isDozing):
      state.withLock { state in
        if isDozing { state.dozing.insert(host) } else { state.dozing.remove(host) }
      }
    // The hosts' own clocks are the world's.
    case .stepWall: break
    case .trim(let leaves):
      if let end = laws.end { tier.inner.trim(before: end.number - Int64(leaves) + 1) }
    case .save:
      state.withLock { $0.saved = tier.inner.snapshot }
      laws.save()
    case .restore:
      guard let saved = state.withLock({ $0.saved }) else { return }
      tier.inner.restore(saved)
      laws.restore()
    case .empty:
      tier.inner.restartEmpty()
      laws.empty()
    }
  }

  private func change(_ host: Int, _ body: (inout Way) -> Void) {
    state.withLock { state in
      if state.ways.indices.contains(host) { body(&state.ways[host]) }
    }
  }

  /// Every way carries everything, and what was late arrives.
  func settle() {
    let late = state.withLock { state in
      state.ways = state.ways.map { _ in Way() }
      state.dozing = []
      defer { state.late = [] }
      return state.late
    }
    for message in late { Task { await message.arrive() } }
    for member in members(where: { _ in true }) {
      member.probe()
      member.announce()
    }
  }

  /// The world has come to rest.
  func noteRest() {
    laws.noteRest(isQuiet: state.withLock { $0.late.isEmpty })
  }
}
