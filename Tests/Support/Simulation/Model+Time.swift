import FreshStore

extension Model {
  /// Time passes, and every process notices.
  mutating func advance(to now: ClockReading, by seconds: Int) {
    self.now = now
    for store in processes.indices {
      processes[store].awake += Int64(seconds) * 1000
      let awake = processes[store].awake
      renewLeases(of: store)
      let due = processes[store].alarms.filter { $0 <= awake }
      processes[store].alarms.subtract(due)
      if !due.isEmpty { flush(store) }
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
    for flight in flights where flight.store == store { end(flight.id) }
    flush(store)
    start(store)
  }

  /// A process dies.
  mutating func kill(_ store: Int) {
    flights.removeAll { $0.store == store }
    pushes.removeAll { $0.store == store }
    batches = batches.filter { $0.value.store != store }
    start(store)
  }

  private mutating func start(_ store: Int) {
    processes[store] = Process()
  }
}
