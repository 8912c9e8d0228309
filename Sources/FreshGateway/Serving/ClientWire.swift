#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// The client's end of an exchange: a connection of HTTP/1, or a stream of HTTP/2. For its event loop alone.
  protocol ClientWire: AnyObject {
    /// Writes a part of the answer.
    ///
    /// - Parameter taken: Hears what the system took; not all of it when the client has gone.
    func send(_ part: AnswerPart, _ taken: EventLoopPromise<AnswerPart.Taken>)

    /// Writes an informational answer, where the client understands any and the answer has not begun.
    func sendInterim(_ status: Int, _ fields: HeaderFields)

    /// Goes on with the content of the request: the origin wants it.
    func resume(sendingContinue: Bool)

    /// The exchange has ended.
    func finish(_ ending: Exchange.Ending)
  }
#endif
