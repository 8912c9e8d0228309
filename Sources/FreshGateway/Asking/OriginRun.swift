#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// One request to an origin, from the lease of its key to the last byte that is stored.
  ///
  /// It runs in a task of its own: a client that goes away ends nothing that others, or the store, want.
  struct OriginRun: Sendable {
    let core: GatewayCore
    let address: HTTPAddress
    let flight: Flight
    /// The key that others join it by.
    let flightKey: FlightKey
    /// True for a flight that others may join: one at a time for a key, in all processes.
    let isShared: Bool
    var content: ForwardedRequest.Content?
    /// Where the origin's informational answers go.
    var interim: InterimAnswers?

    private var key: CopyKey { CopyKey(address.text) }
    /// Where the origin is asked.
    private var upstream: HTTPAddress { core.upstream(of: address) }
    private var collection: RecordCollection<StoredBody> { core.shelf.collection }

    /// A request that is about to be sent.
    private struct Start {
      var plan: ForwardPlan
      var copies: [HeldCopy]
      /// `nil` where nothing can be stored.
      var request: SourceRequest?
      /// Before the copies were read.
      let begun: ClockReading
    }

    /// The origin's answer, with its content still to come.
    struct Arrival {
      let head: Flight.Head
      let answer: ForwardedAnswer?
      /// Where the content was read already: whether all of it came.
      var isReadWhole: Bool?
    }

    func run(_ plan: ForwardPlan, _ copies: [HeldCopy]) async {
      core.runs.begin()
      defer { core.runs.end() }
      var isSharedOn = true
      defer { if isShared { core.flights.close(flightKey, flight, isShared: isSharedOn) } }
      if let failed = obstacle(to: plan, copies) { return flight.announce(.head(failed)) }
      guard let start = await begin(plan, copies) else {
        core.flights.close(flightKey, flight)
        return flight.announce(.stored)
      }
      flight.begin(start.request)
      let keeper = start.request.map { request in
        Task { [collection] in await collection.keep(request) }
      }
      defer { keeper?.cancel() }
      let arrival = await admitted(await ask(start))
      var request = start.request
      if !arrival.head.conclusion.invalidation.isEmpty {
        await core.invalidate(arrival.head.conclusion.invalidation)
        // What was just invalidated is older than this answer.
        request = await newRequest(for: arrival.head)
      }
      isSharedOn = arrival.head.mayBeSharedNext
      // Who comes now, or has waited in vain, does not join what has failed.
      if case .failed = arrival.head.outcome, isShared { core.flights.close(flightKey, flight) }
      flight.announce(.head(arrival.head))
      if !isSharedOn, isShared { core.flights.close(flightKey, flight, isShared: false) }
      if !isShared, isSharedOn, arrival.head.storable != nil { core.flights.share(flightKey) }
      await finish(arrival, request)
    }

    // MARK: The beginning

    /// What is known without a request, of an origin that is left alone for a while: no lease is taken for it.
    private func obstacle(to plan: ForwardPlan, _ copies: [HeldCopy]) -> Flight.Head? {
      guard let failure = collection.obstacle(by: sourcePolicy, canWait: canWait(plan)) else {
        return nil
      }
      guard plan.request.mayBeAnsweredFromCopy else { return head(plan, copies, failure) }
      // Another process may have added a variant.
      let latest = core.copies(of: key, looksAgain: true)
      switch core.semantics.decide(plan.request, among: latest.map(\.candidate)) {
      case .forward(let plan), .answerAndRevalidate(_, from: _, let plan):
        return head(plan, latest, failure)
      case .answer, .refuse: return nil
      }
    }

    private var sourcePolicy: Policy { core.sourcePolicy(for: address, hasContent: content != nil) }

    /// `nil` when another process has brought an answer meanwhile: this one is decided anew.
    private func begin(_ plan: ForwardPlan, _ copies: [HeldCopy]) async -> Start? {
      // A mark that is made later would take what is stored before for invalid, too.
      if plan.request.mayBeAnsweredFromCopy, await !core.makeOwed() {
        return unkept(plan, copies)
      }
      let begun = core.store.now()
      do throws(StoreError) {
        guard isShared else {
          let isKept = plan.request.mayBeAnsweredFromCopy
          return Start(
            plan: plan, copies: copies, request: isKept ? try await collection.request() : nil,
            begun: begun)
        }
        var request = try await collection.request(exclusively: flightKey.key)
        if request == nil, !core.flights.hasOutdated(flightKey) {
          _ = await collection.waitForLease(of: flightKey.key, atMost: core.limits.originTime)
          request = try await collection.request(exclusively: flightKey.key)
        }
        // An owner that takes too long, or whose answer was not for all, holds nobody up.
        var open = if let request { request } else { try await collection.request() }
        if let joined = await joinFleet(open, plan, copies) {
          open = joined
        } else {
          open = try await collection.request()
        }
        return await decideAgain(plan, open)
      } catch {
        core.noteUnkept(error)
        return Start(plan: plan, copies: copies, request: nil, begun: begun)
      }
    }

    /// What is asked for without being stored, as marks are owed to the store: they may have come after the plan.
    private func unkept(_ plan: ForwardPlan, _ copies: [HeldCopy]) -> Start {
      let begun = core.store.now()
      let latest = core.copies(of: key, looksAgain: true)
      switch core.semantics.decide(plan.request, among: latest.map(\.candidate)) {
      case .forward(let plan), .answerAndRevalidate(_, from: _, let plan):
        return Start(plan: plan, copies: latest, request: nil, begun: begun)
      case .answer, .refuse: return Start(plan: plan, copies: copies, request: nil, begun: begun)
      }
    }

    private func decideAgain(_ plan: ForwardPlan, _ request: SourceRequest) async -> Start? {
      let begun = core.store.now()
      let copies = core.copies(of: key, looksAgain: true)
      switch core.semantics.decide(plan.request, among: copies.map(\.candidate)) {
      case .forward(let plan), .answerAndRevalidate(_, from: _, let plan):
        if !isOfUnknownVariant(plan) {
          return Start(plan: plan, copies: copies, request: request, begun: begun)
        }
      case .answer, .refuse: break
      }
      await collection.end(request)
      return nil
    }

    /// True where it has come out meanwhile that the answers of the address vary: those who wait want different ones.
    private func isOfUnknownVariant(_ plan: ForwardPlan) -> Bool {
      isShared && !flight.isBackground && flightKey.isOfAddress
        && !FlightKey(key, of: plan).isOfAddress
    }

    // MARK: The request

    private func ask(_ start: Start) async -> Arrival {
      var (plan, left) = (start.plan, 2)
      while true {
        let arrival = await ask(plan, start)
        guard case .ask(let next) = arrival.head.conclusion.reply else { return arrival }
        guard left > 0 else {
          let conclusion = core.semantics.conclude(
            plan, without: "the origin confirms what it was not asked about")
          return Arrival(head: arrival.head.with(conclusion), answer: nil)
        }
        left -= 1
        plan = next
      }
    }

    private func ask(_ plan: ForwardPlan, _ start: Start) async -> Arrival {
      let forwarder = core.forwarder
      let message = ForwardedRequest(
        plan.method, upstream, sent(plan), content: content, interim: interim?.send)
      let result = await collection.asking(
        by: sourcePolicy, canWait: canWait(plan), blaming: { blame($0) },
        excusing: { message.shortage }, counting: { counts($0, message) }
      ) { try await forwarder.send(message) }
      switch result {
      case .failure(let failure):
        let wasConnected = !message.wasUnconnected
        return Arrival(
          head: head(plan, start.copies, failure, wasConnected: wasConnected), answer: nil)
      case .success(let answer):
        flight.answer(at: core.flights.nextMoment())
        core.figures.noteOrigin(answer.delay, status: answer.status)
        if blame(answer) == nil {
          core.failing.answer(of: upstream.origin)
          core.tell(core.watch.answer(at: core.store.now().sinceBoot))
        } else {
          core.note("it answers \(answer.status)")
        }
        return arrival(answer, plan, start)
      }
    }

    /// What becomes of a request without an answer.
    private func head(
      _ plan: ForwardPlan, _ copies: [HeldCopy], _ failure: FetchFailure,
      wasConnected: Bool = false
    ) -> Flight.Head {
      if failure.isOfOrigin {
        core.figures.noteOrigin(nil)
        core.note(failure.reason)
      }
      if case .originIsDown(let end) = failure.code {
        core.failing.pause(upstream.origin, until: end)
      }
      var answer = failure.noAnswer(at: core.store.now().wall)
      answer.concern = failure.concern(wasConnected: wasConnected)
      return head(plan, copies, without: answer)
    }

    func head(
      _ plan: ForwardPlan, _ copies: [HeldCopy], without failure: NoAnswer
    ) -> Flight.Head {
      let conclusion = core.semantics.conclude(plan, without: failure)
      if case .copy = conclusion.reply,
        let loaded = core.shelf.loaded(copies, for: conclusion.reply)
      {
        return failed(plan, loaded, failure, conclusion)
      }
      // Others may have replaced meanwhile what this run has set out with.
      let latest = core.copies(of: key, looksAgain: true)
      if let plan = core.semantics.replanned(plan, among: latest.map(\.candidate)) {
        let conclusion = core.semantics.conclude(plan, without: failure)
        if let loaded = core.shelf.loaded(latest, for: conclusion.reply) {
          return failed(plan, loaded, failure, conclusion)
        }
      }
      let bare = plan.withoutCopies
      return failed(bare, [], failure, core.semantics.conclude(bare, without: failure))
    }

    private func failed(
      _ plan: ForwardPlan, _ copies: [HeldCopy], _ failure: NoAnswer, _ conclusion: Conclusion
    ) -> Flight.Head {
      Flight.Head(
        plan: plan, copies: copies, outcome: .failed(failure), conclusion: conclusion, body: nil,
        arrival: core.store.now())
    }

    private func arrival(_ answer: ForwardedAnswer, _ plan: ForwardPlan, _ start: Start) -> Arrival
    {
      let origin = OriginAnswer(
        status: answer.status, fields: answer.fields, receivedAt: answer.arrival.wall,
        delay: answer.delay)
      var plan = plan
      var conclusion = core.semantics.conclude(origin, to: plan)
      var copies = core.shelf.loaded(start.copies, for: conclusion.reply)
      if copies == nil, let meaning = meaning(of: origin, to: plan, since: start.begun) {
        (plan, copies, conclusion) = (meaning.plan, meaning.copies, meaning.conclusion)
      }
      // Whatever the origin says of a copy that is gone, it is asked for all of it.
      if copies == nil { conclusion = Conclusion(reply: .ask(plan.withoutCopies)) }
      if start.request == nil, plan.request.mayBeAnsweredFromCopy {
        conclusion = conclusion.unstored("not-kept")
      } else if let length = origin.statedLength, !core.hasRoom(for: length) {
        conclusion = conclusion.unstored("too-large")
      } else if let length = origin.statedLength, length > ContentSpill.threshold,
        !core.pause.isOver(at: core.store.now().sinceBoot)
      {
        conclusion = conclusion.unstored("not-kept")
      } else if let index = conclusion.joins, let length = origin.statedLength,
        !PartialCombination.pays(for: length, beside: start.copies[index].answer.content)
      {
        conclusion = conclusion.unstored("too-small")
      }
      var body: SharedBody?
      var reader: Int?
      let isSent =
        if case .origin(_, _, sendsContent: true) = conclusion.reply { true } else { false }
      let kept = keptLength(of: origin, conclusion)
      // It is kept, too, where this client has the same already.
      if isSent || kept != nil && plan.method != "HEAD" {
        body = SharedBody(
          keeping: kept, endsInTime: origin.statedLength.map { $0 <= kept ?? 0 } ?? false,
          core.budget,
          spill: kept == nil
            ? nil
            : core.shelf.spill(core.room, for: start.request) { [core] in core.noteFullFile($0) })
        // Before a part comes: whoever has sent the request gets all of them.
        if isSent, !flight.isBackground { reader = body?.join() }
      }
      let head = Flight.Head(
        plan: plan, copies: copies ?? start.copies, outcome: .answered(origin),
        conclusion: conclusion, body: body, reader: reader, arrival: answer.arrival)
      return Arrival(head: head, answer: answer)
    }

    /// The most bytes of an answer that are kept: to be stored, or for those who have waited for what is not, as far as
    /// memory has room for that; `nil` for one that is only passed on.
    private func keptLength(of answer: OriginAnswer, _ conclusion: Conclusion) -> Int? {
      if conclusion.isStored { return core.limits.storedContent }
      guard isShared, conclusion.momentary != nil, let length = answer.statedLength,
        length <= ContentSpill.threshold
      else { return nil }
      return Int(length)
    }

    private func canWait(_ plan: ForwardPlan) -> Bool {
      guard let chosen = plan.chosen else { return false }
      return Reuse.standsIn(
        plan.candidates[chosen], for: plan.request, failure: .noAnswer, core.policy)
    }

    /// Who cannot be connected to is down; what was asked for and did not come may be the fault of its address.
    private func counts(_ failure: FetchFailure, _ message: ForwardedRequest) -> Bool {
      message.wasUnconnected || core.failing.fail(address.text, of: upstream.origin)
    }

    /// Of a gateway's status the origin as a whole is to blame.
    private func blame(_ answer: ForwardedAnswer) -> (any FetchErrorTraits)? {
      guard (502...504).contains(answer.status) else { return nil }
      return HTTPFetchError.status(
        answer.status, url: address.redacted, bodyPrefix: "",
        retryAfter: RetryAfter.delay(answer.fields, arrival: answer.arrival.wall))
    }

    // MARK: The changes

    private func newRequest(for head: Flight.Head) async -> SourceRequest? {
      guard head.conclusion.isStored else { return nil }
      do throws(StoreError) {
        return try await collection.request()
      } catch {
        core.noteUnkept(error)
        return nil
      }
    }

    private func finish(_ arrival: Arrival, _ request: SourceRequest?) async {
      let head = arrival.head
      var changes = CopyChanges<StoredBody>()
      var writers = ContentWriters(for: request, core.room)
      for change in head.conclusion.changes { await add(change, of: head, to: &changes, &writers) }
      if !head.conclusion.isStored {
        // Neither the changes nor whoever waits for the lease need wait for content that is for one client alone.
        await commit(changes, request, head)
      }
      if let body = head.body, let answer = arrival.answer {
        let isWhole =
          if let isReadWhole = arrival.isReadWhole { isReadWhole } else {
            await stream(answer, into: body)
          }
        if isWhole, let stored = head.stored {
          await add(stored, body, answer, head, to: &changes, &writers)
        }
      }
      if head.conclusion.isStored { await commit(changes, request, head) }
      // What a record has by now stays.
      await writers.giveUp()
      await head.body?.giveUp()
    }

    /// Ends the request with the changes that its answer demands.
    private func commit(
      _ changes: CopyChanges<StoredBody>, _ request: SourceRequest?, _ head: Flight.Head
    ) async {
      guard let request else { return }
      guard !changes.isEmpty else { return await collection.end(request) }
      do throws(StoreError) {
        try await core.shelf.update(changes, answering: request, key, at: head.arrival)
        core.noteKept()
      } catch {
        core.noteUnkept(error)
        await collection.end(request)
      }
    }

    private func add(
      _ change: Conclusion.Change, of head: Flight.Head,
      to changes: inout CopyChanges<StoredBody>, _ writers: inout ContentWriters
    ) async {
      switch change {
      case .renew(let index, let stored):
        let record = head.copies[index].record
        if key.key(of: stored, core.policy) == record.key {
          changes.renewals.append((record, stored.details(origin: address.origin)))
        } else {
          // Its new fields make it a copy of other requests.
          guard let content = await core.shelf.copied(head.copies[index], &writers) else { return }
          core.shelf.add(stored, content, address, among: head.copies, to: &changes)
          if !changes.removals.contains(where: { $0.key == record.key }) {
            changes.removals.append(record)
          }
        }
      case .add(let stored, contentOf: let index):
        guard let content = await core.shelf.copied(head.copies[index], &writers) else { return }
        core.shelf.add(stored, content, address, among: head.copies, to: &changes)
      case .invalidate(let index):
        changes.marks.append((head.copies[index].record.key, HeldCopy.invalidation))
      case .remove(let index): changes.removals.append(head.copies[index].record)
      }
    }

    private func add(
      _ stored: StoredAnswer, _ body: SharedBody, _ answer: ForwardedAnswer, _ head: Flight.Head,
      to changes: inout CopyChanges<StoredBody>, _ writers: inout ContentWriters
    ) async {
      guard let content = await body.arrived(),
        let whole = stored.completed(
          length: content.length, isComplete: answer.showsItsEnd, policy: core.policy)
      else { return }
      guard let index = head.conclusion.joins else {
        return core.shelf.add(whole, content, address, among: head.copies, to: &changes)
      }
      let old = head.copies[index]
      guard let combined = PartialCombination.combined(whole, with: old.answer, core.policy) else {
        return
      }
      guard PartialCombination.pays(for: content.length, beside: old.answer.content) else { return }
      // Parts that have grown too large together begin anew with what was asked for last.
      guard core.hasRoom(for: combined.content.keptLength) else {
        return core.shelf.add(whole, content, address, among: head.copies, to: &changes)
      }
      let new =
        switch content {
        case .bytes(let bytes): ContentBytes(content: whole.content, bytes: bytes)
        case .blocks(let blocks):
          ContentBytes(content: whole.content, stored: .init(blocks: blocks, record: nil))
        }
      guard let oldContent = core.shelf.loaded(old)?.content,
        let joined = await core.shelf.joined(
          combined.content.extents, from: new, oldContent, &writers)
      else { return }
      core.shelf.add(combined, joined, address, among: head.copies, to: &changes)
    }

    // MARK: The content

    /// Hands the content on; true when it came to its end.
    private func stream(_ answer: ForwardedAnswer, into body: SharedBody) async -> Bool {
      var isWanted = true
      do throws(HTTPFetchError) {
        try await answer.content.read { part in
          isWanted = await body.append(part)
          return isWanted
        }
        body.end(isWhole: isWanted, trailers: TrailerFields.sent(of: answer.content.trailers))
        return isWanted
      } catch {
        body.end(isWhole: false)
        return false
      }
    }
  }

  extension Conclusion {
    /// True when the answer is kept once it has come as a whole.
    fileprivate var isStored: Bool { if case .success = storing { true } else { false } }
  }

  extension Flight.Head {
    var stored: StoredAnswer? {
      if case .success(let stored) = conclusion.storing { stored } else { nil }
    }

    /// The copy that the origin has confirmed, as it is from now on, and its place.
    var confirmed: (answer: StoredAnswer, index: Int)? {
      guard case .copy(_, from: let index) = conclusion.reply else { return nil }
      for change in conclusion.changes {
        switch change {
        case .renew(index, let stored), .add(let stored, contentOf: index): return (stored, index)
        case .renew, .add, .invalidate, .remove: continue
        }
      }
      return nil
    }

    /// The answer as it is stored, or would be if it were of use to whoever asks later.
    var storable: StoredAnswer? { stored ?? conclusion.momentary }

    /// What others who have waited may be answered with.
    var shareable: StoredAnswer? { storable ?? confirmed?.answer }

    /// The tags that count for what others are answered with: those of the answer, and of the copies whose place it
    /// takes.
    var tags: Set<String> {
      guard let origin = plan.request.address?.origin else { return [] }
      let answers = plan.candidates.map(\.answer) + [shareable].compactMap(\.self)
      return Set(
        answers.flatMap(\.terms.groups).map { CacheGroups.tag($0, origin: origin) })
    }

    /// False when the next answer of the address is most likely for one request alone, too.
    fileprivate var mayBeSharedNext: Bool {
      guard case .failure(let refusal) = conclusion.storing else { return true }
      switch refusal {
      case .request, .requestNoStore, .authorization, .cookie, .partial: return true
      case .useless: return conclusion.momentary != nil
      case .status, .noStore, .private, .mustUnderstand, .variesByEverything, .notCacheable,
        .setsCookie, .ambiguousLength:
        return false
      }
    }

    fileprivate func with(_ conclusion: Conclusion) -> Flight.Head {
      Flight.Head(
        plan: plan, copies: copies, outcome: outcome, conclusion: conclusion, body: nil,
        arrival: arrival)
    }
  }
#endif
