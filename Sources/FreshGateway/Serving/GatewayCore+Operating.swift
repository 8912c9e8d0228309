#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  extension GatewayCore {
    /// Notes that the origin has failed. Of those of a proxy, which are its clients' choice, nobody is told.
    func note(_ cause: String) {
      guard !servesAnyOrigin else { return }
      tell(watch.fail(cause, at: store.now().sinceBoot))
    }

    /// Notes that an origin is left alone for a while; who hears of that is as for its failures.
    func leaveAlone(_ origin: String, until end: Timestamp) {
      failing.pause(origin, until: end)
      guard !servesAnyOrigin else { return }
      tell(watch.leaveAlone(origin, until: HTTPDate.format(end)))
    }

    /// Notes that the file has taken no more of a long answer; for a while no other is begun.
    func noteFullFile(_ error: StoreError) {
      figures.noteStored(false)
      shelf.noteFullFile(error)
      pause.fail(at: store.now().sinceBoot)
    }

    /// Tells operators something.
    func tell(_ words: String?) {
      if let words { options.tell(words) }
    }

    /// What an operator asks for, who may have to wait for it; `nil` for the request of a client.
    func operation(for request: GatewayRequest) -> (@Sendable () async -> AnswerPlan)? {
      guard request.method == Purge.method else { return nil }
      guard let tokens = options.operatorTokens else {
        // Through a proxy it is for whoever stands behind it, like all methods that are not known here.
        guard !servesAnyOrigin else { return nil }
        let refusal = semantics.own(403, "this gateway was started without purges", for: request)
        return { refusal }
      }
      guard tokens.admit(request.fields) else {
        var refusal = semantics.own(401, "a purge needs the token of an operator", for: request)
        refusal.fields.set("WWW-Authenticate", "Bearer realm=\"\(policy.name)\"")
        return { [refusal] in refusal }
      }
      do throws(RequestRefusal) {
        let purge = try Purge(request)
        return { await self.answer(to: purge, request) }
      } catch {
        let refusal = semantics.own(error.status, error.reason, for: request)
        return { refusal }
      }
    }

    private func answer(to purge: Purge, _ request: GatewayRequest) async -> AnswerPlan {
      // Who asks from now on does not wait for what was asked before.
      switch purge.scope {
      case .address(let address): flights.outdate(CopyKey(address))
      case .prefix: flights.outdateAll()
      case .groups(let groups, let origin):
        flights.outdate(tags: groups.map { CacheGroups.tag($0, origin: origin) })
      }
      do throws(StoreError) {
        let count = try await shelf.purge(purge)
        figures.notePurge(of: count)
        guard count > 0 || store.isOfFleet else {
          return semantics.own(404, "there is no copy to purge", for: request)
        }
        return semantics.own(200, "purged: \(count)", for: request)
      } catch {
        noteUnkept(error)
        // It is not remembered, as a mark that is owed to an unsafe request is: whoever purges hears of it.
        let words =
          "nothing was purged, or not all: the store does not take it; send the purge again"
        return semantics.own(503, words, for: request)
      }
    }
  }

  extension FileChange {
    /// The change as operators hear of it.
    var words: String {
      switch self {
      case .movedAside(let path):
        "the store was damaged; it was moved to \(path) and a new one was begun, with what no source can give "
          + "again as far as it can be read; freshstore doctor says what may be left there"
      case .replaced:
        "the store was deleted or replaced by another program; the file that has its name from now on is used"
      }
    }
  }

  extension Exchange {
    /// Answers with what comes of an operation.
    func run(_ operation: @Sendable () async -> AnswerPlan) async {
      let plan = await operation()
      do {
        let length = try await client.write(.whole(plan, nil))
        client.finish(
          Ending(status: plan.status, length: length, decision: plan.fields.decision))
      } catch {
        // The client has gone.
        client.finish(Ending(isBroken: true))
      }
    }
  }
#endif
