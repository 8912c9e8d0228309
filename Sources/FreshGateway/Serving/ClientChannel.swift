#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore

  /// The client's end of an exchange: a connection of HTTP/1, or a stream of HTTP/2. Used only on its event loop.
  protocol ClientWire: AnyObject {
    /// Writes a part of the answer.
    ///
    /// - Parameter taken: Gets what the system took. This is less than all when the client has left.
    func send(_ part: AnswerPart, _ taken: EventLoopPromise<AnswerPart.Delivery>)

    /// Writes an informational answer, if the client understands one and the answer has not begun.
    func sendInterim(_ status: Int, _ fields: HeaderFields)

    /// Continues with the body of the request, because the origin wants it.
    func resume(sendingContinue: Bool)

    /// Notes the end of the exchange.
    func finish(_ ending: Exchange.Ending)
  }

  /// A part of an answer, for any version of HTTP.
  enum AnswerPart: Sendable {
    /// A whole answer from a copy, or of the gateway itself.
    case whole(AnswerPlan, ContentBytes?)
    /// The header section; the body follows in parts.
    ///
    /// `hasContent` is false when no body follows, whatever `Content-Length` says.
    case head(Int, HeaderFields, hasContent: Bool)
    /// The header section with the part of the body that has arrived. The rest follows in parts unless `isEnd` is true.
    case opening(Int, HeaderFields, ByteBuffer, isEnd: Bool)
    case content(ByteBuffer)
    /// The end of the body.
    case end(trailers: HeaderFields)

    /// The status, when the part begins an answer.
    var status: Int? {
      switch self {
      case .whole(let plan, _): plan.status
      case .head(let status, _, hasContent: _), .opening(let status, _, _, isEnd: _): status
      case .content, .end: nil
      }
    }

    /// The amount of a part that the client's system has taken.
    struct Delivery: Sendable, Hashable {
      /// The number of body bytes.
      var content = 0
      /// True when the system has taken anything, even only of the header section.
      var isBegun = false
      /// True when the system has taken all.
      var isWhole = false

      static let nothing = Delivery()
    }
  }

  /// The client, as the task that answers it sees it.
  struct ClientChannel: Sendable {
    private let loop: any EventLoop
    private let wire: NIOLoopBound<any ClientWire>

    init(_ wire: any ClientWire, on loop: any EventLoop) {
      self.loop = loop
      self.wire = NIOLoopBound(wire, eventLoop: loop)
    }

    /// Runs a task on the client's event loop (``LoopExecutor``).
    func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      LoopExecutor(loop).run(work)
    }

    /// The client left before it had the whole answer.
    struct Gone: Error {
      /// The amount that it has taken of the failed part.
      let taken: AnswerPart.Delivery
    }

    /// Writes a part, and returns its number of body bytes when the system has taken all. Throws ``Gone``.
    @discardableResult
    func write(_ part: AnswerPart) async throws -> Int {
      try Task.checkCancellation()
      let taken = try await send(part)
      guard taken.isWhole else { throw Gone(taken: taken) }
      return taken.content
    }

    /// A task on the client's own loop needs no further turn of the loop.
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

    /// Writes an informational answer. Any thread may call it.
    func writeInterim(_ status: Int, _ fields: HeaderFields) {
      loop.execute { [wire] in wire.value.sendInterim(status, fields) }
    }

    /// Continues with the body of the request.
    func resume(sendingContinue: Bool) {
      loop.execute { [wire] in wire.value.resume(sendingContinue: sendingContinue) }
    }

    /// Reports the end of the answer.
    func finish(_ ending: Exchange.Ending) {
      loop.execute { [wire] in wire.value.finish(ending) }
    }
  }

  /// Runs tasks on an event loop, between its events, so that answering a client does not change threads at every step.
  ///
  /// Such a task must not block for long.
  final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      loop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Begins a task. Tasks that it begins run here too.
    func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      WorkExecutor.$current.withValue(self) { Task(executorPreference: self) { await work() } }
    }
  }
#endif
