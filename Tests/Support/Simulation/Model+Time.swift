import FreshStore
import Strategies

extension Model {
  /// Time passes, and every process notices.
  mutating func advance(to now: ClockReading, by seconds: Int) {
    setClock(to: now)
    for store in processes.indices {
      processes[store].awake += Int64(seconds) * 1000
      let awake = processes[store].awake
      renewLeases(of: store)
      let due = processes[store].alarms.filter { $0 <= awake }
      processes[store].alarms.subtract(due)
      if !due.isEmpty { flush(store) }
    }
  }

  /// When the wall clock is set, the rest of a pause stays the same.
  mutating func setClock(to now: ClockReading) {
    let wall = now.wall.millisecondsSinceEpoch
    let expected =
      now.boot == self.now.boot
      ? self.now.wall.millisecondsSinceEpoch + now.sinceBoot - self.now.sinceBoot : wall
    self.now = now
    let (step, moment) = (wall - expected, min(wall, expected))
    guard step != 0 else { return }
    func moved(_ end: Int64?) -> Int64? { end.map { $0 > moment ? $0 + step : $0 } }
    entries = entries.mapValues { list in
      list.map { entry in
        var entry = entry
        entry.pausedUntil = moved(entry.pausedUntil)
        entry.dueAt += step
        // A question keeps its age.
        entry.askedAt = entry.askedAt.map { $0 + step }
        return entry
      }
    }
    func moved(_ records: [String: ModelRecord]) -> [String: ModelRecord] {
      records.mapValues { record in
        var record = record
        record.nextAttempt = moved(record.nextAttempt)
        return record
      }
    }
    (records, shadows) = (moved(records), moved(shadows))
    for scope in invalidations.keys { invalidations[scope]?.at += step }
    for (origin, breaker) in breakers where breaker.openUntil > moment {
      breakers[origin]?.openUntil += step
    }
  }

  /// The network goes, or is back.
  mutating func setOffline(_ isOffline: Bool) {
    self.isOffline = isOffline
    for store in processes.indices {
      guard isOffline else {
        processes[store].outage = nil
        continue
      }
      let outage = Process.Outage(awake: processes[store].awake, sinceBoot: now.sinceBoot)
      processes[store].outage = processes[store].outage ?? outage
    }
  }

  private mutating func renewLeases(of store: Int) {
    let awake = processes[store].awake
    for index in flights.indices where flights[index].store == store && flights[index].isAsking {
      guard flights[index].nextRenewal <= awake else { continue }
      flights[index].nextRenewal = awake + Setting.renewal.milliseconds
      let (id, key) = (flights[index].id, flights[index].key)
      if leases[key]?.flight == id {
        if !hasHolder(key) { lateRenewals.insert(id) }
        leases[key]?.deadline = now.sinceBoot + Setting.lease.milliseconds
      }
    }
  }

  /// A process ends in order.
  mutating func close(_ store: Int, as step: Int) {
    results[step] = "closed"
    for index in flights.indices where flights[index].store == store {
      // It cannot be judged again.
      for caller in flights[index].callers.indices {
        flights[index].callers[caller].hasCopy = false
      }
    }
    for flight in flights where flight.store == store { end(flight.id) }
    flush(store)
    start(store)
  }

  /// A process dies.
  mutating func kill(_ store: Int) {
    flights.removeAll { $0.store == store }
    errands = errands.filter { $0.store != store }
    pushes.removeAll { $0.store == store }
    batches = batches.filter { $0.value.store != store }
    start(store)
  }

  private mutating func start(_ store: Int) {
    processes[store] = Process()
  }
}
