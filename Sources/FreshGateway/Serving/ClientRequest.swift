#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// One request of a client, from its header section to its log entry, for any version of HTTP.
  struct ClientRequest {
    let began: NIODeadline
    /// The body for the origin; `nil` when the origin wants none.
    private(set) var upload: Upload?
    /// True when the request is logged.
    private(set) var isNoted = false
    /// The status of the answer that was begun; 0 before.
    private(set) var statusBegun = 0
    /// True when the gateway has aborted the answer. The client then does not count as having left.
    var isCutOff = false
    /// `nil` before the header section, or when it could not be read.
    var head: IncomingRequest?

    private let core: GatewayCore
    private let peer: String
    private let version: IncomingRequest.Version
    private var exchange: Task<Void, Never>?
    /// The memory account of the connection; `nil` before it is open.
    private let memory: ClientMemory.Account?
    /// The memory of the exchange, or of a header section that waits for more input.
    private var held: ClientMemory.Request?

    /// - Parameter version: The client's version, for a request without a readable header section.
    init(
      _ core: GatewayCore, from peer: String, _ head: IncomingRequest?,
      version: IncomingRequest.Version = .http11, _ memory: ClientMemory.Account?,
      at began: NIODeadline
    ) {
      (self.core, self.peer, self.head, self.began) = (core, peer, head, began)
      self.memory = memory
      self.version = version
    }

    /// An answer that needs no network.
    struct ReadyAnswer {
      let plan: AnswerPlan
      let content: ContentBytes?
      let served: Served
    }

    /// Returns the answer that is ready, or begins an exchange that will answer.
    ///
    /// - Parameter room: The number of body bytes that may wait for the origin.
    mutating func begin(
      _ request: GatewayRequest, for client: @autoclosure () -> ClientChannel,
      room: Int = Upload.greatestSize
    ) -> ReadyAnswer? {
      if let operation = core.operation(for: request), let address = request.address {
        let channel = client()
        let exchange = Exchange(
          core: core, client: channel, of: sender, request: request, address: address, upload: nil)
        self.exchange = channel.run { await exchange.run(operation) }
        return nil
      }
      switch core.begin(request) {
      case .answer(let plan, let content, let served):
        return ReadyAnswer(
          plan: served == .own ? plan : core.passed(plan), content: content, served: served)
      case .ask(let plan, let copies):
        guard let address = request.address else { return nil }
        let asker = sender
        guard takeRoom(of: asker) else {
          core.figures.noteRefusal()
          return ReadyAnswer(
            plan: core.semantics.own(503, Self.noRoom, for: request), content: nil, served: .own)
        }
        let channel = client()
        if request.hasContent {
          let awaitsContinue = head?.awaitsContinue ?? false
          let pace = ClientPace(core.slowClients, at: core.upstream(of: address).origin)
          upload = Upload(of: asker, pace, room: room, memory) { isFirst in
            channel.resume(sendingContinue: isFirst && awaitsContinue)
          }
        }
        let exchange = Exchange(
          core: core, client: channel, of: asker, request: request, address: address,
          upload: upload)
        // Reading much from the file must not block the event loop.
        self.exchange =
          plan.readsMuch
          ? Task { await exchange.run(plan, copies) }
          : channel.run { await exchange.run(plan, copies) }
        return nil
      }
    }

    /// The client that a trusted peer names; else the peer.
    private var sender: String {
      let trusted = core.options.trustedPeers
      guard !trusted.isEmpty, !core.servesAnyOrigin, let head else { return peer }
      return ForwardedClient(peer, head.fields, trusting: trusted).origin(among: trusted)
    }

    /// Reserves memory for a header section while it is unknown whether a body follows.
    mutating func hold() throws(RequestRefusal) {
      guard takeRoom(of: sender) else { throw RequestRefusal(503, Self.noRoom) }
    }

    /// False when the gateway already holds too much.
    private mutating func takeRoom(of sender: String) -> Bool {
      guard held == nil, let memory else { return true }
      held = memory.request(of: sender, beside: head?.size ?? 0)
      return held != nil
    }

    private static let noRoom = "the gateway holds as much for clients, or for this one, as it may"

    /// When an exchange must have answered, or the client must have sent more of its body.
    ///
    /// - Parameter lastMove: When the client last sent or took anything.
    func deadline(isWhole: Bool, lastMove: NIODeadline) -> NIODeadline {
      let end = began + TimeAmount(core.limits.totalTime)
      // A client that takes an answer to the first part of its body need not send the rest (RFC 9112 section 9.5).
      guard !isWhole, upload?.hasRoom ?? false else { return end }
      return min(end, lastMove + TimeAmount(core.limits.stallTime))
    }

    /// Cancels the request to the origin, which does not count as a failure.
    mutating func end() {
      exchange?.cancel()
      (exchange, held) = (nil, nil)
      upload?.end(isBroken: true)
      upload = nil
    }

    // MARK: The log

    /// Notes the status of an answer that is about to be sent; `nil` for a later part.
    mutating func noteBegun(_ status: Int?) {
      if let status { statusBegun = status }
    }

    mutating func note(_ ending: Exchange.Ending) {
      guard ending.status > 0 else { return noteAbandoned() }
      note(
        ending.status, ending.length, ending.served, ending.decision, hasLeft: ending.hasLeft,
        isBroken: ending.lacksContent, origin: ending.origin)
    }

    /// Logs and counts the answer.
    ///
    /// - Parameters:
    ///   - hasLeft: True when the client has not taken the whole answer.
    ///   - isBroken: True when the gateway has not sent the whole answer.
    mutating func note(
      _ status: Int, _ length: Int, _ served: Served, _ decision: String?, hasLeft: Bool = false,
      isBroken: Bool = false, origin: AccessEntry.Origin = .init()
    ) {
      isNoted = true
      let (hasLeft, isBroken) = (hasLeft && !isCutOff, isBroken || hasLeft && isCutOff)
      core.figures.note(served, status: status, length: length)
      guard let log = core.options.log else { return }
      var entry = AccessEntry(
        peer: peer, at: core.store.now().wall, method: head?.method ?? "-",
        target: head?.target ?? "-", version: head?.version ?? version, status: status,
        length: length,
        duration: head == nil ? .zero : .nanoseconds((NIODeadline.now() - began).nanoseconds),
        decision: decision, hasLeft: hasLeft, isBroken: isBroken)
      entry.origin = origin
      if let head { describe(head, in: &entry) }
      log.add(entry)
    }

    /// Logs an answer that was ready, and how much of it the client's system took.
    mutating func note(
      _ delivery: AnswerPart.Delivery, of status: Int, _ served: Served, _ decision: String?
    ) {
      noteBegun(status)
      guard delivery.isBegun else { return noteAbandoned() }
      note(status, delivery.content, served, decision, hasLeft: !delivery.isWhole)
    }

    private func describe(_ head: IncomingRequest, in entry: inout AccessEntry) {
      if !core.options.trustedPeers.isEmpty { entry.client = sender }
      guard core.options.log?.form == .json else { return }
      entry.host = head.fields.first("Host")
      entry.userAgent = head.fields.first("User-Agent")
      entry.referer = head.fields.first("Referer")
    }

    /// Logs a request whose client left before any answer, for which logs have a status. Also a request that was
    /// aborted before its client took anything.
    mutating func noteAbandoned() {
      // A client that takes nothing has not even made room for its answer.
      let status = !isCutOff ? 499 : statusBegun > 0 ? statusBegun : 408
      note(status, 0, .abandoned, nil, hasLeft: true)
    }
  }
#endif
