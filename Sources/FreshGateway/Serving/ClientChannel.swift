#if Gateway
  internal import NIOCore

  /// A client's connection, for the task that answers it.
  struct ClientChannel: Sendable {
    let channel: any Channel
    private let handler: NIOLoopBound<ConnectionHandler>

    init(_ channel: any Channel, _ handler: ConnectionHandler) {
      self.channel = channel
      self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    /// The client has gone, and has not taken all of an answer.
    struct Gone: Error {
      /// The bytes of the write that failed which it has taken.
      let taken: Int
    }

    /// Writes, and returns once the system has taken the bytes; throws ``Gone``.
    ///
    /// - Parameter endsWithConnection: True when nothing but the end of the connection tells the client that the
    ///   answer is whole.
    func write(_ buffers: [ByteBuffer], endsWithConnection: Bool = false) async throws {
      try Task.checkCancellation()
      let loop = channel.eventLoop
      let taken = try await loop.flatSubmit { [handler] in
        let promise = loop.makePromise(of: Int.self)
        handler.value.send(buffers, endsWithConnection: endsWithConnection, promise)
        return promise.futureResult
      }.get()
      guard taken == buffers.reduce(0, { $0 + $1.readableBytes }) else { throw Gone(taken: taken) }
    }

    /// Goes on with the content of the request.
    func resume(sendingContinue: Bool) {
      channel.eventLoop.execute { [handler] in
        handler.value.resume(sendingContinue: sendingContinue)
      }
    }

    /// The answer is written.
    func finish(_ ending: Exchange.Ending) {
      channel.eventLoop.execute { [handler] in handler.value.finish(ending) }
    }
  }
#endif
