#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore

  /// The client's end of an exchange: a connection of HTTP/1, or a stream of HTTP/2. For its event loop alone.
  protocol ClientWire: AnyObject {
    /// Writes a part of the answer.
    ///
    /// - Parameter taken: Hears what the system took; not all of it when the client has gone.
    func send(_ part: AnswerPart, _ taken: EventLoopPromise<AnswerPart.Delivery>)

    /// Writes an informational answer, where the client understands any and the answer has not begun.
    func sendInterim(_ status: Int, _ fields: HeaderFields)

    /// Goes on with the content of the request: the origin wants it.
    func resume(sendingContinue: Bool)

    /// The exchange has ended.
    func finish(_ ending: Exchange.Ending)
  }

  /// A part of an answer, as an exchange hands it to whatever the client speaks.
  enum AnswerPart: Sendable {
    /// All of an answer from a copy, or of one of the gateway's own.
    case whole(AnswerPlan, ContentBytes?)
    /// The head; the content follows in parts.
    ///
    /// `hasContent` is false where none does, whatever `Content-Length` says.
    case head(Int, HeaderFields, hasContent: Bool)
    /// The head with the content that is here already: the rest follows in parts, or nothing does.
    case opening(Int, HeaderFields, ByteBuffer, isEnd: Bool)
    case content(ByteBuffer)
    /// No content follows.
    case end(trailers: HeaderFields)

    /// That of an answer which it begins.
    var status: Int? {
      switch self {
      case .whole(let plan, _): plan.status
      case .head(let status, _, hasContent: _), .opening(let status, _, _, isEnd: _): status
      case .content, .end: nil
      }
    }

    /// What the client's system has taken of a part.
    struct Delivery: Sendable, Hashable {
      /// The bytes of content.
      var content = 0
      /// True when it has taken anything, be it of the head alone.
      var isBegun = false
      /// True when it has taken all.
      var isWhole = false

      static let nothing = Delivery()
    }
  }

  /// A client, for the task that answers it.
  struct ClientChannel: Sendable {
    private let loop: any EventLoop
    private let wire: NIOLoopBound<any ClientWire>

    init(_ wire: any ClientWire, on loop: any EventLoop) {
      self.loop = loop
      self.wire = NIOLoopBound(wire, eventLoop: loop)
    }

    /// Runs a task on the loop of the client (``LoopExecutor``).
    func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      LoopExecutor(loop).run(work)
    }

    /// The client has gone, and has not taken all of an answer.
    struct Gone: Error {
      /// What it has taken of the part that failed.
      let taken: AnswerPart.Delivery
    }

    /// Writes, and returns the bytes of content once the system has taken all; throws ``Gone``.
    @discardableResult
    func write(_ part: AnswerPart) async throws -> Int {
      try Task.checkCancellation()
      let taken = try await send(part)
      guard taken.isWhole else { throw Gone(taken: taken) }
      return taken.content
    }

    /// A task on the loop of the client itself does not wait for a turn of the loop.
    private func send(_ part: AnswerPart) async throws -> AnswerPart.Delivery {
      guard loop.inEventLoop else {
        return try await loop.flatSubmit { [loop, wire] in
          let promise = loop.makePromise(of: AnswerPart.Delivery.self)
          wire.value.send(part, promise)
          return promise.futureResult
        }.get()
      }
      let promise = loop.makePromise(of: AnswerPart.Delivery.self)
      wire.value.send(part, promise)
      return try await promise.futureResult.get()
    }

    /// Writes an informational answer; by any thread.
    func writeInterim(_ status: Int, _ fields: HeaderFields) {
      loop.execute { [wire] in wire.value.sendInterim(status, fields) }
    }

    /// Goes on with the content of the request.
    func resume(sendingContinue: Bool) {
      loop.execute { [wire] in wire.value.resume(sendingContinue: sendingContinue) }
    }

    /// The answer is written.
    func finish(_ ending: Exchange.Ending) {
      loop.execute { [wire] in wire.value.finish(ending) }
    }
  }

  /// Runs tasks on an event loop, between its events: what answers a client need not change threads for every step.
  ///
  /// Nothing that blocks for long may run in such a task.
  final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      loop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Begins a task, and has whatever that begins run here, too.
    func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      WorkExecutor.$current.withValue(self) { Task(executorPreference: self) { await work() } }
    }
  }
#endif
