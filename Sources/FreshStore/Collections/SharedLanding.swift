/// Hands records on to the fleet that a flight has fetched and stored.
struct SharedLanding: Sendable {
  typealias Landing = (lease: SharedLease, record: StoredRecord)

  let store: Store
  let fleet: FleetMember
  let landings: [Landing]

  /// An error costs another host a fetch of its own.
  func run() async {
    do throws(StoreError) {
      let position = try await store.fleetPosition()
      let now = store.now()
      let records = try await store.queue.run {
        [store, landings] () throws(StoreError) -> [(lease: SharedLease, record: SharedRecord)] in
        var records: [(lease: SharedLease, record: SharedRecord)] = []
        for (lease, record) in landings {
          let tags = try record.isTagged ? store.storage.tags(of: record.row) : []
          records.append((lease, SharedRecord(record, tags: tags, now: now)))
        }
        return records
      }
      let answer = try await store.ask(fleet, for: .complete) {
        (tier) async throws(SharedTierError) in
        try await tier.land(records, since: position)
      }
      try await store.take(answer.news, since: position, of: fleet)
      let late = landings.filter { !answer.value.contains($0.lease) }.map(\.record)
      guard !late.isEmpty else { return }
      try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.markLate(late, now: now)
      }
      for record in late {
        let (collection, key) = (record.content.collection, record.content.key)
        store.hub.publish(Change(kind: .marked, collection: collection, key: key))
      }
    } catch {
      switch error.code {
      case .sharedTier, .closed, .cancelled: break
      default: store.report(.notStored(error))
      }
    }
  }
}
