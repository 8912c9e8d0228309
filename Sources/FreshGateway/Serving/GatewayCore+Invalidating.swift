#if Gateway
  internal import FreshStore

  /// Invalidates copies after an unsafe request: with marks in the store, or in memory until the store accepts them.
  extension GatewayCore {
    /// Invalidates copies. On return the marks are in the store, or in memory. This process then uses none of these
    /// copies before it is validated.
    func invalidate(_ invalidation: Invalidation) async {
      _ = await invalidate(invalidation, storing: nil)
    }

    /// Invalidates copies, and returns the request for storing the response. `nil` when the response must not be
    /// stored: something else was stored since its request was sent, or may have been.
    ///
    /// - Parameter own: The key of the response, and the file's number before its request was sent; `nil` for a
    ///   response that is not to be stored.
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
        // Some marks may be in the store already. Making them again changes nothing.
        owed.add(marks)
        noteUnkept(error)
        retryOwed()
        if let request { await shelf.collection.end(request) }
        return nil
      }
    }

    /// Makes some of the pending marks, the oldest first. True when none is left. Does not wait while another task
    /// makes them.
    func makeOwed() async -> Bool {
      guard !owed.isEmpty else { return true }
      guard owed.beginMaking() else { return false }
      defer { owed.endMaking() }
      // A client may wait for this call.
      return await makeOwed(atMost: 64) == nil && owed.isEmpty
    }

    /// Returns the error at which it stopped; `nil` without one.
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

    /// Tries again until the store has accepted all marks.
    private func retryOwed() {
      owed.retry { [self] in
        repeat {
          do {
            // No event tells that a disk has room again, or that another program has released its lock.
            try await Task.sleep(for: limits.storePause)
          } catch {
            return
          }
          _ = await makeOwed()
        } while !owed.endRetrying()
      }
    }

    /// Makes the last attempt. Returns false, and reports what is lost, when it fails. It repeats marks whose task was
    /// on a loop that has ended.
    func settleOwed() async -> Bool {
      await owed.stopRetrying()
      owed.takeOver()
      // No client waits any more, and no attempt follows.
      store.bePatient()
      guard !owed.isEmpty, let error = await makeOwed(atMost: .max) else { return true }
      options.tell(words(ofLost: "\(error)"))
      return false
    }

    /// The message to operators when the process ends at once; `nil` when nothing is lost. It waits only for locks that
    /// are held briefly.
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
    fileprivate var marks: [PendingInvalidations.Mark] {
      keys.map { .address(CopyKey($0)) } + tags.map { .tag($0) }
    }
  }

  /// The commands with which operators make the marks that a gateway could not make.
  ///
  /// They name the gateway's file, because another shell has another default. They show no query, which may be secret:
  /// a prefix of the address covers it. They do not show the fleet, whose address may hold a password.
  enum MarkCommands {
    /// Returns shell commands that cover at least the marks; none without marks.
    ///
    /// - Parameter path: The absolute path of the store.
    static func covering(
      _ marks: [PendingInvalidations.Mark], in collection: String, of path: String
    ) -> [String] {
      var (addresses, prefixes, tags): ([String], [String], [String]) = ([], [], [])
      for mark in marks {
        switch mark {
        case .address(let key):
          // Behind a space is a digest, which replaces the end of a long address.
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
      // A tag is the same in all collections.
      return [[place] + addresses, [place] + prefixes, tags].compactMap { words in
        words.isEmpty || words == [place]
          ? nil : "\(verb(of: path)) \(words.joined(separator: " "))"
      }
    }

    /// Returns the command that covers all copies.
    static func everything(in collection: String, of path: String) -> String {
      "\(verb(of: path)) --all --collection \(collection)"
    }

    /// The beginning of each command.
    private static func verb(of path: String) -> String {
      "freshstore mark --db \(quoted(path))"
    }

    /// Quotes one word for a shell.
    private static func quoted(_ text: String) -> String {
      "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
    }
  }
#endif
