internal import FreshStore
internal import Synchronization

/// The slots of the jobs in flight, and the rule for taking another one.
///
/// - No origin takes more than its share. Large bodies take at most half of all slots, and of each share.
/// - Two origins never take all slots, nor all of those for large bodies. So other work need not wait for a source
///   that hangs, although nothing is known of it yet. An origin whose share is all slots may take all.
/// - A source on trial gets one attempt at a time, and a small one beside a large one, which may take long. All
///   sources on trial together have half of the slots.
struct SlotUsage: Sendable {
  /// The slot of one job.
  struct Slot: Sendable {
    let lane: RunProgress.Lane
    /// The name of the availability of its source.
    let availability: RunProgress.Account
    /// True if its source was on trial when the job began.
    let isTrial: Bool
  }

  /// Numbers of jobs in flight.
  private struct Count: Sendable {
    var all = 0
    /// The jobs with large bodies.
    var large = 0
    var small: Int { all - large }

    mutating func add(_ number: Int, _ lane: RunProgress.Lane) {
      all += number
      if lane.isLarge { large += number }
    }
  }

  private let slots: Int
  private let perOrigin: Int
  private var total = Count()
  private var trials = Count()
  private var origins: [ExactName: Count] = [:]
  private var sources: [RunProgress.Account: Count] = [:]

  init(of slots: Int, perOrigin: Int) {
    (self.slots, self.perOrigin) = (slots, perOrigin)
  }

  /// The number of slots taken.
  var count: Int { total.all }
  var byOrigin: [ExactName: Int] { origins.mapValues(\.all) }
  /// The names of the availabilities of the sources with work in flight.
  var availabilities: [RunProgress.Account] { Array(sources.keys) }

  /// True when the slot may be taken.
  func isFree(_ slot: Slot) -> Bool {
    let (lane, atOrigin) = (slot.lane, origins[slot.lane.account.origin] ?? Count())
    guard
      Self.isFree(
        taken: total.all, atOrigin: atOrigin.all, byOrigins: origins.count, of: slots,
        perOrigin: perOrigin)
    else { return false }
    let half = (max(1, slots / 2), max(1, perOrigin / 2))
    if lane.isLarge {
      let origins = self.origins.values.count { $0.large > 0 }
      guard
        Self.isFree(
          taken: total.large, atOrigin: atOrigin.large, byOrigins: origins, of: half.0,
          perOrigin: half.1)
      else { return false }
    }
    guard slot.isTrial else { return true }
    let atSource = sources[slot.availability] ?? Count()
    return lane.isLarge
      ? atOrigin.all + atSource.all == 0 && trials.large < max(1, half.0 / 2)
        && trials.all < half.0
      : atOrigin.small + atSource.small == 0 && trials.all < half.0
  }

  private static func isFree(
    taken: Int, atOrigin: Int, byOrigins origins: Int, of slots: Int, perOrigin: Int
  ) -> Bool {
    guard taken < slots, atOrigin < perOrigin else { return false }
    let isKept = taken + 1 == slots && slots > perOrigin && origins <= 2
    return !isKept || atOrigin == 0
  }

  mutating func take(_ slot: Slot) { add(1, slot) }
  mutating func giveBack(_ slot: Slot) { add(-1, slot) }

  private mutating func add(_ number: Int, _ slot: Slot) {
    let (lane, origin) = (slot.lane, ExactName(slot.lane.account.origin))
    total.add(number, lane)
    if slot.isTrial { trials.add(number, lane) }
    origins[origin, default: Count()].add(number, lane)
    if origins[origin]?.all == 0 { origins[origin] = nil }
    sources[slot.availability, default: Count()].add(number, lane)
    if sources[slot.availability]?.all == 0 { sources[slot.availability] = nil }
  }
}

/// A reservation, which is given back once: when it is ended, or at the latest when its last owner releases it.
final class Reservation: Sendable {
  private let giveBack: Mutex<(@Sendable () -> Void)?>

  init(giveBack: @escaping @Sendable () -> Void) {
    self.giveBack = Mutex(giveBack)
  }

  deinit { end() }

  func end() {
    let giveBack = giveBack.withLock { giveBack in
      defer { giveBack = nil }
      return giveBack
    }
    giveBack?()
  }
}

/// A limit on starts, evenly spread: so many a second, and at most a tenth of that at one moment.
///
/// Moments are times on the boot clock.
struct StartRate {
  private let perSecond: Double?
  private let most: Double
  private var tokens: Double
  private var filledAt: Duration?

  init(perSecond: Double?) {
    self.perSecond = perSecond.map { max($0, 0.001) }
    most = max(1, (perSecond ?? 1) / 10)
    tokens = most
  }

  /// Takes a token for one more start now; else returns the time until there is one.
  mutating func take(at now: Duration) -> Duration? {
    guard let perSecond else { return nil }
    if let filledAt { tokens = min(most, tokens + (now - filledAt) / .seconds(1) * perSecond) }
    filledAt = now
    guard tokens < 1 else {
      tokens -= 1
      return nil
    }
    return .seconds((1 - tokens) / perSecond)
  }

  /// Gives back an unused token.
  mutating func giveBack() {
    if perSecond != nil { tokens = min(most, tokens + 1) }
  }
}
