#if Fleet
  internal import FreshStore

  /// The claims of one round trip, and their rows.
  struct ClaimQuestion: Sendable {
    let claims: [SharedClaim]
    let fences: [Int64]

    /// Those that want a lease.
    var takers: ClaimQuestion {
      let taking = zip(claims, fences).filter { $0.0.takesLease }
      return ClaimQuestion(claims: taking.map(\.0), fences: taking.map(\.1))
    }

    var collections: Parameter { .bytes(claims.map(\.key.collection)) }
    var keys: Parameter { .bytes(claims.map(\.key.key)) }
    var known: Parameter { .integers(claims.map(\.known)) }
    var asksAlways: Parameter { .booleans(claims.map(\.asksAlways)) }
    var ignoresPause: Parameter { .booleans(claims.map(\.ignoresPause)) }

    /// The rows, each with the place of its claim.
    func places(of rows: [Row]) -> [(place: Int, row: Row)] {
      rows.compactMap { row in
        guard let number = row.integer(0), let place = Int(exactly: number - 1),
          claims.indices.contains(place)
        else { return nil }
        return (place, row)
      }
    }

    /// The leases that the rows grant, needed or not.
    func leases(granted rows: [Row]) -> [SharedLease] {
      places(of: rows).compactMap { lease($0.row, $0.place) }
    }

    private func lease(_ row: Row, _ place: Int) -> SharedLease? {
      guard row.integer(1) == fences[place], let number = row.integer(3) else { return nil }
      return SharedLease(key: claims[place].key, fence: fences[place], number: number)
    }

    /// The size of what was found and did not fit; `nil` when nothing was found, or it is here.
    func sizeWithheld(_ row: Row) -> Int? {
      guard row.integer(7) != nil, !row.boolean(17) else { return nil }
      return row.integer(16).map { Int($0) } ?? 0
    }

    /// `nil` for a look that finds nothing.
    func result(_ row: Row, _ place: Int) -> SharedClaimResult? {
      if let edition = row.integer(7) {
        // Of a clock that was set back a little since it would be below zero.
        let record = SharedRecord(
          value: row.bytes(14), isAbsent: row.boolean(10), tags: row.byteStrings(12),
          stamps: row.bytes(13) ?? [], age: max(.zero, row.milliseconds(9) ?? .zero),
          lifetime: row.milliseconds(11))
        return .found(
          SharedFinding(
            record: record, edition: edition, number: row.integer(8) ?? 0, owner: row.text(15)))
      }
      if let lease = lease(row, place) { return .granted(lease) }
      if !claims[place].ignoresPause, let pause = row.milliseconds(5), pause > .zero {
        return .paused(remaining: pause, reason: row.text(6))
      }
      let remaining = max(.zero, row.milliseconds(4) ?? .zero)
      guard claims[place].takesLease || remaining > .zero else { return nil }
      // A lease that ended between two statements is held no longer, and not ours.
      return .held(by: row.text(2), remaining: remaining)
    }
  }
#endif
