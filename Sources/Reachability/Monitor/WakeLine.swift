#if os(Linux)
  internal import Platform

  /// A line over which a thread that waits for sockets is woken.
  struct WakeLine: ~Copyable {
    /// The reason to wake the thread.
    enum Message: UInt8 {
      case end
      case ask
    }

    private let sender: Int32
    /// The descriptor that the thread waits for.
    let receiver: Int32

    init() throws(ErrorNumber) {
      let kind = SocketKind.datagram | SocketKind.closeOnExec
      var ends: [Int32] = [-1, -1]
      guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
      sender = ends[0]
      receiver = ends[1]
    }

    deinit {
      close(sender)
      close(receiver)
    }

    /// Wakes the thread. A full line wakes it as well, so a refusal is no error; but the end waits
    /// for room.
    func send(_ message: Message) {
      var byte = message.rawValue
      let flags = Int32(MSG_NOSIGNAL) | (message == .end ? 0 : Int32(MSG_DONTWAIT))
      _ = unsafe Platform.send(sender, &byte, 1, flags)
    }

    /// Takes the next message, without waiting.
    func receive() -> Message? {
      var byte: UInt8 = 0
      guard unsafe recv(receiver, &byte, 1, Int32(MSG_DONTWAIT)) == 1 else { return nil }
      return Message(rawValue: byte)
    }
  }
#endif
