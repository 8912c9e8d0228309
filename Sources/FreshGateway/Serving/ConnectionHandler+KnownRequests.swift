#if Gateway
  internal import NIOCore

  /// The beginnings with requests whose words came before.
  extension ConnectionHandler {
    /// Begins with the next request, if its words are known.
    ///
    /// - Returns: Whether it has; and the bytes of its head, where they came before and may come again.
    func beginKnown(
      _ context: ChannelHandlerContext
    ) -> (hasBegun: Bool, repeated: ByteBuffer?) {
      guard phase == .reading, hasWholeRequest, let head = decoder.unread?.wholeHead else {
        return (false, nil)
      }
      switch core.known.find(head, from: peerOfMeaning, at: place?.port) {
      case .known(let known):
        decoder.skip(head.readableBytes)
        begin(known, context)
        return (true, nil)
      case .seen: return (false, head)
      case .new: return (false, nil)
      }
    }

    private func begin(_ known: KnownRequest, _ context: ChannelHandlerContext) {
      note(known.incoming, isWhole: true, context)
      if !isDraining, let answer = core.answer(toKnown: known) {
        return write(answer.rendered, .hit, answer.decision, context)
      }
      begin(known.incoming, known.read(from: peer), known, context)
    }

    /// Keeps what was read of a head that came before, for those that come again; `nil` where it is not to be kept.
    func know(
      _ head: ByteBuffer, _ incoming: IncomingRequest, _ read: GatewayRequest
    ) -> KnownRequest? {
      let known = KnownRequest(
        head, from: peer, at: place?.port, incoming, read, in: core.known.room)
      guard let known else {
        core.known.makeRoom(for: KnownRequest.size(of: head))
        return nil
      }
      core.known.add(known)
      return known
    }

    /// The peer, where what it asks depends on who it is.
    private var peerOfMeaning: String? { core.reading.dependsOnPeer ? place?.peer : nil }
  }
#endif
