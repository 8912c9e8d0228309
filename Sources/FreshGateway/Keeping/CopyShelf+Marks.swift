#if Gateway
  internal import FreshStore

  extension CopyShelf {
    /// Marks copies invalid: each must be validated before its next use. Durable when it returns.
    func make(_ mark: PendingInvalidations.Mark) async throws(StoreError) {
      switch mark {
      case .address(let key):
        try await collection.markStale(key.base, reason: HeldCopy.invalidation)
        try await markVariants(of: key)
      case .tag(let tag):
        try await collection.store.markStale(tag: tag, reason: HeldCopy.invalidation)
      case .everything: try await collection.markAllStale(reason: HeldCopy.invalidation)
      }
    }

    /// Marks an address invalid for an answer that equals the answer to a GET of it. Returns the request under which
    /// that is stored (``RecordCollection/request(marking:reason:ifStillAt:)``).
    func make(
      invalid key: CopyKey, ifStillAt number: Int64
    ) async throws(StoreError) -> SourceRequest? {
      let request = try await collection.request(
        marking: key.base, reason: HeldCopy.invalidation, ifStillAt: number)
      do throws(StoreError) {
        try await markVariants(of: key)
      } catch {
        if let request { await collection.end(request) }
        throw error
      }
      return request
    }

    /// Marks the variants after their address: that mark covers variants that are stored later, and this look finds
    /// those that were stored just before it.
    private func markVariants(of key: CopyKey) async throws(StoreError) {
      let variants = try collection.keys(beginningWith: key.prefix, limit: Self.greatestCount + 1)
      // Other hosts may have other variants, and here there may be more than one look reads: an unmarked one would
      // answer once others are gone. So one mark is for all; a client waits for each mark.
      guard !collection.store.isOfFleet, variants.count <= Self.greatestCount else {
        return try await collection.markStale(prefix: key.prefix, reason: HeldCopy.invalidation)
      }
      for variant in variants {
        try await collection.markStale(variant, reason: HeldCopy.invalidation)
      }
    }

    /// Marks copies stale or removes them, and has answers in flight count as stale. Returns the number of copies that
    /// were here. Durable when it returns.
    ///
    /// In a fleet the marks are for all hosts. There a copy that is removed here must be validated before use.
    func purge(_ purge: Purge) async throws(StoreError) -> Int {
      let isHard = purge.manner == .hard
      let reason = isHard ? HeldCopy.removal : Self.purging
      let (store, name) = (collection.store, collection.name)
      switch purge.scope {
      case .address(let address):
        let key = CopyKey(address)
        try await collection.markStale(key.base, reason: reason)
        // Unknown variants may be in flight, or on other hosts.
        try await collection.markStale(prefix: key.prefix, reason: reason)
        // After the marks: a copy that was stored just before them is removed, too.
        let isPlainHere = try collection.keys(beginningWith: key.base, limit: 1) == [key.base]
        let variants = try store.countRecords(collection: name, prefix: key.prefix)
        if isHard {
          if isPlainHere { try await drop([key.base]) }
          try await dropAll(prefix: key.prefix, tag: nil)
        }
        return variants + (isPlainHere ? 1 : 0)
      case .prefix(let prefix):
        let count = try store.countRecords(collection: name, prefix: prefix)
        try await collection.markStale(prefix: prefix, reason: reason)
        if isHard { try await dropAll(prefix: prefix, tag: nil) }
        return count
      case .groups(let groups, let origin):
        var count = 0
        for group in groups {
          let tag = CacheGroups.tag(group, origin: origin)
          count += try store.countRecords(collection: name, tag: tag)
          try await store.markStale(tag: tag, reason: reason)
          if isHard { try await dropAll(prefix: "", tag: tag) }
        }
        return count
      }
    }

    private func dropAll(prefix: String, tag: String?) async throws(StoreError) {
      var last: RecordSummary?
      while true {
        let page = try collection.store.list(
          collection: collection.name, prefix: prefix, tag: tag, after: last, limit: 256)
        guard !page.isEmpty else { return }
        try await drop(page.map(\.key))
        last = page.last
      }
    }

    /// Removes records, except for those with a local write, which are no copies.
    private func drop(_ keys: [String]) async throws(StoreError) {
      do throws(StoreError) {
        try await collection.remove(keys)
      } catch {
        guard case .pendingWrite = error.code else { throw error }
        guard keys.count > 1 else { return }
        for key in keys { try await drop([key]) }
      }
    }

    private static let purging = "made stale by a purge"
  }
#endif
