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

    /// Writes, and returns once the system has taken the bytes; throws when the client has gone.
    func write(_ bytes: ByteBuffer) async throws {
      try await channel.writeAndFlush(bytes).get()
    }

    /// The same in several buffers.
    func write(_ buffers: [ByteBuffer]) async throws {
      guard let last = buffers.last else { return }
      for buffer in buffers.dropLast() { channel.write(buffer, promise: nil) }
      try await write(last)
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
