#if Gateway
  internal import FreshStore

  /// What an unsafe request has made invalid: marks in the store, or owed to it until it takes them.
  extension GatewayCore {
    /// Makes copies invalid. When it returns the store has the marks, or they are owed: no copy of what they are of is
    /// used by this process before it is validated.
    func invalidate(_ invalidation: Invalidation) async {
      _ = await invalidate(invalidation, storing: nil)
    }

    /// The same by an answer that is to be stored; with the request for that. `nil` where something else has come since
    /// its own was sent, or may have: the answer is not stored.
    ///
    /// - Parameter own: What it would be stored under, and what the file was at before its request was sent; `nil` for
    ///   one that is not to be stored.
    func invalidate(
      _ invalidation: Invalidation, storing own: (key: CopyKey, number: Int64)?
    ) async -> SourceRequest? {
      for key in invalidation.keys { flights.outdate(CopyKey(key)) }
      flights.outdate(tags: invalidation.tags)
      let marks = invalidation.marks
      let begun = owed.begin(marks)
      defer { owed.end(begun) }
      guard owed.isEmpty else {
        owed.add(marks)
        _ = await makeOwed()
        retryOwed()
        return nil
      }
      var request: SourceRequest?
      do throws(StoreError) {
        for mark in marks {
          if let own, mark == .address(own.key) {
            request = try await shelf.make(invalid: own.key, ifStillAt: own.number)
          } else {
            try await shelf.make(mark)
          }
        }
        return request
      } catch {
        // Some may be there already; a second mark of them costs nothing.
        owed.add(marks)
        noteUnkept(error)
        retryOwed()
        if let request { await shelf.collection.end(request) }
        return nil
      }
    }

    /// Makes some of the marks that are owed, the oldest first; true where none is left. It does not wait for another
    /// one who makes them.
    func makeOwed() async -> Bool {
      guard !owed.isEmpty else { return true }
      guard owed.beginMaking() else { return false }
      defer { owed.endMaking() }
      // A client may wait for it.
      return await makeOwed(atMost: 64) == nil && owed.isEmpty
    }

    /// The error at which it ended; `nil` for none.
    private func makeOwed(atMost limit: Int) async -> StoreError? {
      for (mark, number) in owed.oldest(limit) {
        do throws(StoreError) {
          try await shelf.make(mark)
          owed.remove(mark, number)
        } catch {
          shelf.keeping.note(error, at: store.now())
          return error
        }
      }
      shelf.keeping.noteSuccess(at: store.now())
      return nil
    }

    /// Tries again until the store has taken all.
    private func retryOwed() {
      owed.retry { [self] in
        repeat {
          do {
            // No event tells that a disk has room again, or that another program has given up its lock.
            try await Task.sleep(for: limits.storePause)
          } catch {
            return
          }
          _ = await makeOwed()
        } while !owed.endRetrying()
      }
    }

    /// The last attempt; tells what is lost, and returns false then. What was being marked on a loop that has ended
    /// meanwhile is marked once more.
    func settleOwed() async -> Bool {
      await owed.stopRetrying()
      owed.takeOver()
      // No client waits any more, and no attempt follows.
      store.bePatient()
      guard !owed.isEmpty, let error = await makeOwed(atMost: .max) else { return true }
      options.tell(words(ofLost: "\(error)"))
      return false
    }

    /// What operators are told where the process ends at once; `nil` where nothing is lost by that. It waits for nothing
    /// but locks that are held for a moment.
    var lastWords: String? {
      owed.takeOver()
      return owed.isEmpty ? nil : words(ofLost: "the gateway was ended before the store took it")
    }

    private func words(ofLost cause: String) -> String {
      let (collection, path) = (options.collection, store.path)
      let marks = owed.oldest(Self.marksTold).map { $0.mark }
      let commands = MarkCommands.covering(marks, in: collection, of: path)
      let more = owed.count - marks.count
      let all = MarkCommands.everything(in: collection, of: path)
      let others = more > 0 ? "; or, for \(more) more, all: \(all)" : ""
      let fleet = store.isOfFleet ? ", with the gateway's --fleet" : ""
      return
        "what was changed is not marked in the store, and may be served as it was before: \(cause); "
        + "mark it by hand\(fleet): \(commands.joined(separator: "; "))\(others)"
    }

    private static let marksTold = 20
  }

  extension Invalidation {
    fileprivate var marks: [OwedInvalidations.Mark] {
      keys.map { .address(CopyKey($0)) } + tags.map { .tag($0) }
    }
  }

  /// The commands by which operators make the marks that a gateway could not make.
  ///
  /// They name the file of the gateway: another shell has another one. They show no query, which may be secret: what
  /// has one is covered by the beginning of its address. Nor do they show the fleet, whose address may hold a password.
  enum MarkCommands {
    /// Commands for a shell that cover the marks, and no less; none for no marks.
    ///
    /// - Parameter path: The absolute path of the store.
    static func covering(
      _ marks: [OwedInvalidations.Mark], in collection: String, of path: String
    ) -> [String] {
      var (addresses, prefixes, tags): ([String], [String], [String]) = ([], [], [])
      for mark in marks {
        switch mark {
        case .address(let key):
          // Behind a space is a digest, in the place of the end of a long address.
          let beginning = key.base.prefix { $0 != "?" && $0 != " " }
          let next = key.base[beginning.endIndex...].first
          if next == nil {
            addresses.append(quoted(key.base))
          } else {
            let prefix = "--prefix " + quoted(next == "?" ? "\(beginning)?" : String(beginning))
            if !prefixes.contains(prefix) { prefixes.append(prefix) }
          }
        case .tag(let tag): tags.append("--tag " + quoted(tag))
        case .everything: return [everything(in: collection, of: path)]
        }
      }
      let place = "--collection \(collection)"
      // A tag is one in all collections.
      return [[place] + addresses, [place] + prefixes, tags].compactMap { words in
        words.isEmpty || words == [place]
          ? nil : "\(verb(of: path)) \(words.joined(separator: " "))"
      }
    }

    /// The command that covers all copies.
    static func everything(in collection: String, of path: String) -> String {
      "\(verb(of: path)) --all --collection \(collection)"
    }

    /// The beginning of each command.
    private static func verb(of path: String) -> String {
      "freshstore mark --db \(quoted(path))"
    }

    /// One word of a shell.
    private static func quoted(_ text: String) -> String {
      "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
    }
  }
#endif
