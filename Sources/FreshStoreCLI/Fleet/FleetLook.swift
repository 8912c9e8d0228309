#if CommandLine
  internal import FreshFleet
  internal import FreshStore
  internal import Strategies

  /// A look at a fleet from one host's place in it. It changes nothing.
  struct FleetLook: Sendable {
    /// The subject of the look, beside that place.
    enum Subject: Sendable {
      case nothing
      case record(SharedKey)
      /// The rights of the database's user.
      case rights
    }

    /// The reply of the fleet.
    struct Reply: Sendable {
      /// The number of the newest mark.
      let newest: Int64
      /// The marks that this host has not applied; incomplete when there are very many.
      let news: SharedNews
      /// The time from the start of the connection to the first reply. A command waits for that long.
      let first: Duration
      /// The time of a reply over an open connection.
      let roundTrip: Duration
      /// The fleet's copy of the record, or its lease holder; `nil` for neither.
      let result: SharedClaimResult?
      /// The rights that a host needs and the user lacks.
      let missingRights: [String]
    }

    /// The address, without its secrets.
    let address: String
    /// The host's place; `nil` before its first contact with the fleet, and without a store.
    let place: FleetPlace?
    let reply: Result<Reply, SharedTierError>
    /// The time that a command waits for the fleet.
    let limit: Duration
    private let now = SystemClock().reading().wall

    /// The look reads at most so many marks; beyond, it only says that there are more.
    private static let longestNews = 10_000

    /// Asks the fleet.
    ///
    /// - Parameter patience: A ``FleetPatience/looking`` call waits longer than a command would.
    init(
      at address: String, _ option: FleetOption, _ patience: FleetPatience,
      from place: FleetPlace?, at subject: Subject = .nothing
    ) async {
      (self.place, limit) = (place, option.limit(.asking))
      // The doctor also reports how long a command would have to wait.
      let own = option.limit(patience)
      let longest = patience == .looking ? max(own, patience.limit) : own
      do throws(SharedTierError) {
        let client = try option.briefClient(of: address, patience, limit: longest)
        defer { client.close() }
        self.address = client.addressDescription
        reply = await Self.ask(client, from: place, at: subject)
      } catch {
        self.address = "its address"
        reply = .failure(error)
      }
    }

    /// A look at a fleet that is known not to answer.
    init(
      at address: String, _ option: FleetOption, from place: FleetPlace?,
      failing error: SharedTierError
    ) {
      (self.place, limit) = (place, option.limit(.asking))
      reply = .failure(error)
      do throws(SharedTierError) {
        self.address = try option.briefClient(of: address, .asking).addressDescription
      } catch {
        self.address = "its address"
      }
    }

    private static func ask(
      _ client: FleetClient, from place: FleetPlace?, at subject: Subject
    ) async -> Result<Reply, SharedTierError> {
      do throws(SharedTierError) {
        let start = ContinuousClock.now
        let newest = try await client.news(since: nil).position.number
        let connected = ContinuousClock.now
        let (news, result) = try await look(client, from: place, at: subject)
        let roundTrip = ContinuousClock.now - connected
        var missingRights: [String] = []
        if case .rights = subject { missingRights = await Self.missingRights(client) }
        return .success(
          Reply(
            newest: newest, news: try await whole(news, client), first: connected - start,
            roundTrip: roundTrip, result: result, missingRights: missingRights))
      } catch {
        return .failure(error)
      }
    }

    private static func look(
      _ client: FleetClient, from place: FleetPlace?, at subject: Subject
    ) async throws(SharedTierError) -> (SharedNews, SharedClaimResult?) {
      guard case .record(let key) = subject else {
        return (try await client.news(since: place?.position), nil)
      }
      let reply = try await client.claim(
        [SharedClaim(key, takesLease: false)], owner: "", for: .zero, since: place?.position)
      return (reply.news, reply.value[key])
    }

    /// The news, with the marks that did not fit into the first reply.
    private static func whole(
      _ first: SharedNews, _ client: FleetClient
    ) async throws(SharedTierError) -> SharedNews {
      var (news, missed) = (first, [SharedMark]())
      while case .marks(let marks, let position, let isMore) = news {
        missed += marks
        guard isMore, missed.count < longestNews else {
          return .marks(missed, position: position, isMore: isMore)
        }
        news = try await client.news(since: position)
      }
      return news
    }

    /// The rights that the user lacks; empty for an engine that does not know of rights.
    private static func missingRights(_ client: FleetClient) async -> [String] {
      do throws(SharedTierError) {
        return try await client.missingRights()
      } catch {
        return []
      }
    }

    // MARK: Results

    /// The number of marks that the host has not applied; `nil` when it is unknown, and every copy is suspect.
    var missing: Int? {
      guard case .success(let reply) = reply, let place,
        case .marks(let marks, _, let isMore) = reply.news
      else { return nil }
      // After a loss there are numbers without a mark. Beyond the marks that were read, they count as marks.
      guard isMore else { return marks.count }
      return max(marks.count, Int(clamping: reply.newest - place.position.number))
    }

    /// The place of the host, in one clause.
    func words(of reply: Reply) -> String {
      guard let place else { return "this store has not had a word with it yet" }
      switch missing {
      case 0?: return "this host has taken in all of its marks"
      case 1?: return "this host has not taken in 1 of its marks"
      case let count?: return "this host has not taken in \(count) of its marks"
      case nil:
        return
          "its journal does not lead on from this host's place (mark \(place.position.number)), and the "
          + "next word with it makes all copies here stale"
      }
    }

    /// The time since the last contact with the fleet, in one clause.
    var silence: String {
      guard let place else { return "this store has not had a word with it yet" }
      let age = max(.zero, now.duration(since: place.lastWord))
      return "its last word here was noted \(age.brief) ago"
    }

    /// The look, for programs.
    var fields: JSONFields {
      let common: JSONFields = [
        "address": address, "mark": place?.position.number,
        "lastWord": place?.lastWord.description,
        // An unknown number is `null`, so that a program need not handle a missing field, too.
        "missingMarks": missing.map { $0 as any Encodable } ?? JSONNull(),
      ]
      switch reply {
      case .failure(let error): return common + ["isReached": false, "error": error.fields]
      case .success(let reply):
        return common + [
          "isReached": true, "newestMark": reply.newest,
          "isSuspect": place == nil ? nil : missing == nil,
          "connectionSeconds": reply.first.inPreciseSeconds,
          "roundTripSeconds": reply.roundTrip.inPreciseSeconds,
          "missingRights": reply.missingRights.isEmpty ? nil : reply.missingRights,
        ]
      }
    }

    // MARK: For explain

    /// The fleet's part in an explanation; `nil` without a reply.
    var hearing: FleetHearing? {
      guard case .success(let reply) = reply else { return nil }
      return FleetHearing(news: reply.news, result: reply.result)
    }

    /// Whether marks that this host has not applied cover the record; `nil` when that is unknown.
    private func covers(_ explanation: Explanation) -> Bool? {
      guard case .success(let reply) = reply, place != nil else { return nil }
      guard case .marks(let marks, _, let isMore) = reply.news else { return true }
      let key = SharedKey(explanation.decision.collection, explanation.decision.key)
      let tags = explanation.tags.map { Array($0.utf8) }
      let isCovered = marks.contains { $0.scope.applies(to: key, tags: tags) }
      return isCovered || !isMore ? isCovered : nil
    }

    /// The look for `explain --json`.
    func explaining(_ explained: FleetExplanation) -> JSONFields {
      fields + ["isMarked": covers(explained.explanation), "from": explained.owner]
    }

    /// The look for people.
    func lines(for explanation: Explanation) -> [String] {
      let reply: Reply
      switch self.reply {
      case .failure(let error):
        return [
          "its fleet is out of reach: \(CommandFailure.words(of: error))",
          "a get would go on alone; \(silence)",
        ].map(Console.printable)
      case .success(let found): reply = found
      }
      var lines = [
        "its fleet at \(address) answers in \(reply.roundTrip.brief); \(words(of: reply))"
      ]
      if explanation.decision.outcome != .missing {
        switch covers(explanation) {
        case true?:
          lines.append(
            "a mark of the fleet covers it: a get takes that in first, and finds it stale")
        case false?: break
        case nil where place != nil: lines.append("whether one of them covers it is not known")
        case nil:
          lines.append("a store that joins its fleet takes what it has for stale, once")
        }
      }
      return lines.map(Console.printable)
    }

    // MARK: Without a store

    /// The host whose record a get would take; `nil` for none.
    var owner: String? {
      guard case .success(let reply) = reply, case .found(let finding)? = reply.result else {
        return nil
      }
      return finding.owner
    }

    // MARK: For the doctor

    var finding: Finding {
      switch reply {
      case .success(let reply): judged(by: reply)
      case .failure(let error): judged(by: error)
      }
    }

    private func judged(by reply: Reply) -> Finding {
      let text = "\(address) answers in \(reply.roundTrip.brief); \(words(of: reply))"
      guard reply.missingRights.isEmpty else {
        return .problem(
          "fleet",
          "\(text), but its user lacks rights: \(reply.missingRights.joined(separator: ", "))",
          CommandFailure.grants)
      }
      guard reply.first <= limit else {
        return .warning(
          "fleet",
          "\(text), but a command waits \(limit.brief) for it, and its first answer took "
            + "\(reply.first.brief): it would go on alone",
          "let commands wait longer, by --fleet-limit")
      }
      switch missing {
      case 0?: return .ok("fleet", text)
      case nil where place == nil: return .ok("fleet", text)
      default:
        return .warning(
          "fleet", text,
          "any get or sweep with --fleet takes them in; freshstore sync run hears of them at once")
      }
    }

    private func judged(by error: SharedTierError) -> Finding {
      let advice = CommandFailure.step(after: error) ?? "see freshstore help fleet"
      switch error.code {
      // These errors end by themselves, or when somebody else acts.
      case .unreachable, .slow, .readOnly, .full, .other, .closed, .cancelled:
        return .warning(
          "fleet",
          "\(address) is out of reach, and this host goes on alone: \(error); \(silence)", advice)
      default:
        return .problem("fleet", "\(address) cannot be used: \(error)", advice)
      }
    }
  }
#endif
