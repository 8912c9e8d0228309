#if Gateway
  internal import FreshHTTP
  internal import NIOCore

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
      let taken: AnswerPart.Taken
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
    private func send(_ part: AnswerPart) async throws -> AnswerPart.Taken {
      guard loop.inEventLoop else {
        return try await loop.flatSubmit { [loop, wire] in
          let promise = loop.makePromise(of: AnswerPart.Taken.self)
          wire.value.send(part, promise)
          return promise.futureResult
        }.get()
      }
      let promise = loop.makePromise(of: AnswerPart.Taken.self)
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
#endif
