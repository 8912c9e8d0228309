#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// One request of a client, from its head to its line in the log, whichever way it came.
  struct ClientRequest {
    let began: NIODeadline
    /// The content on its way to the origin; `nil` where nobody wants any.
    private(set) var upload: Upload?
    /// True when the log has heard of it.
    private(set) var isNoted = false
    /// The status of the answer that was begun; 0 while none is.
    private(set) var statusBegun = 0
    /// True once the gateway has ended it within its answer: whatever the client does then, it has not left.
    var isCutOff = false
    /// `nil` while there is none, or one that could not be read.
    var head: IncomingRequest?

    private let core: GatewayCore
    private let peer: String
    private let version: IncomingRequest.Version
    private var exchange: Task<Void, Never>?
    /// What the connection has the gateway hold; `nil` before it is open.
    private let memory: ClientMemory.Account?
    /// That of the exchange, or of a head that waits for more.
    private var held: ClientMemory.Request?

    /// - Parameter version: What the client speaks, where the head does not tell.
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

    /// Returns the answer that is ready, or begins the exchange that answers elsewhere.
    ///
    /// - Parameter room: The bytes of the request's content that may wait for the origin.
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
        // Whoever reads much from the file does it beside the loop.
        self.exchange =
          plan.readsMuch
          ? Task { await exchange.run(plan, copies) }
          : channel.run { await exchange.run(plan, copies) }
        return nil
      }
    }

    /// The client that has sent it, as a peer says that is believed; else the peer.
    private var sender: String {
      let trusted = core.options.trustedPeers
      guard !trusted.isEmpty, !core.servesAnyOrigin, let head else { return peer }
      return ForwardedClient(peer, head.fields, trusting: trusted).origin(among: trusted)
    }

    /// Counts a head that waits for what tells whether content follows.
    mutating func hold() throws(RequestRefusal) {
      guard takeRoom(of: sender) else { throw RequestRefusal(503, Self.noRoom) }
    }

    /// False where the gateway holds too much already.
    private mutating func takeRoom(of sender: String) -> Bool {
      guard held == nil, let memory else { return true }
      held = memory.request(of: sender, beside: head?.size ?? 0)
      return held != nil
    }

    private static let noRoom = "the gateway holds as much for clients, or for this one, as it may"

    /// Nothing more is wanted: the request to the origin is given up, and has not failed.
    mutating func end() {
      exchange?.cancel()
      (exchange, held) = (nil, nil)
      upload?.end(isBroken: true)
      upload = nil
    }

    // MARK: The log

    /// Notes the status of an answer that is about to be sent; `nil` for what follows its head.
    mutating func noteBegun(_ status: Int?) {
      if let status { statusBegun = status }
    }

    mutating func note(_ ending: Exchange.Ending) {
      guard ending.status > 0 else { return noteAbandoned() }
      note(
        ending.status, ending.length, ending.served, ending.decision, hasLeft: ending.hasLeft,
        isBroken: ending.lacksContent, origin: ending.origin)
    }

    /// - Parameters:
    ///   - hasLeft: True when the client has not taken all of it.
    ///   - isBroken: True when it was not sent all of it.
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

    /// Notes how much of an answer that was ready the client's system took.
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

    /// The client has left before anything was sent, for which logs have a status, or was cut off before it took anything.
    mutating func noteAbandoned() {
      // One that takes nothing has not even made room for its answer.
      let status = !isCutOff ? 499 : statusBegun > 0 ? statusBegun : 408
      note(status, 0, .abandoned, nil, hasLeft: true)
    }
  }
#endif
