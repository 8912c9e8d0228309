/// Hands the records that a flight has fetched and stored on to the fleet.
///
/// For a record that no other host could use, it tells the fleet that each host has to ask for itself.
struct SharedLanding: Sendable {
  /// A lease with its record; without a record where the source's answer is of no use to other hosts.
  typealias Landing = (lease: SharedLease, record: StoredRecord?)

  let store: Store
  let fleet: FleetMember
  let landings: [Landing]
  /// The time at which the host heard of the leases; `nil` where it is not known.
  let heard: ClockReading?

  private typealias Parcel = (lease: SharedLease, record: SharedRecord)

  /// Hands the records on. An error costs another host a fetch of its own.
  func run() async {
    do throws(StoreError) {
      let question = try await store.question(to: fleet)
      let now = store.now()
      let parcels = try await parcels(at: now)
      guard !parcels.isEmpty else { return }
      let answer = try await store.ask(fleet, for: .complete) {
        (tier) async throws(SharedTierError) in
        try await tier.land(parcels, since: question.position)
      }
      let meeting = Storage.FleetUpdate(answer.news, since: question.position)
      if try await !store.meet(meeting, question).isUpToDate { store.catchUpSoon(with: fleet) }
      let sent = Set(parcels.map(\.lease))
      let late = landings.filter { sent.contains($0.lease) && !answer.value.contains($0.lease) }
        .compactMap(\.record)
      guard !late.isEmpty else { return }
      try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.markLate(late, now: now)
      }
    } catch {
      switch error.code {
      case .sharedTier, .closed, .cancelled: break
      default: store.report(.notStored(error))
      }
    }
  }

  /// The records with their tags.
  ///
  /// A record that was put, removed or wiped since is not handed on, and its lease ends. The same holds for a record
  /// with a tag that no mark of the fleet can name.
  private func parcels(at now: ClockReading) async throws(StoreError) -> [Parcel] {
    let span = store.configuration.leaseDuration
    let parcels = try await store.queue.run {
      [store, landings, heard] () throws(StoreError) -> [(lease: SharedLease, record: SharedRecord)]
      in
      var parcels: [(lease: SharedLease, record: SharedRecord)] = []
      for (lease, record) in landings {
        var tags: [String] = []
        if let record {
          guard let present = try store.storage.tagsToShare(of: record),
            present.allSatisfy({ $0.utf8.count <= SharedNameLimit.tag })
          else { continue }
          let shared = SharedRecord(record, tags: present, heard: heard, now: now)
          guard shared.isOver else {
            parcels.append((lease, shared))
            continue
          }
          tags = present
        }
        let nothing = SharedRecord(withholding: tags, for: span, heard: heard, now: now)
        parcels.append((lease, nothing))
      }
      return parcels
    }
    let sent = Set(parcels.map(\.lease))
    let part = FleetPart(fleet: fleet)
    part.release(landings.map(\.lease).filter { !sent.contains($0) }, reporting: store)
    return parcels
  }
}
