#if Gateway
  internal import FreshHTTP
  internal import Synchronization

  /// The informational answers of an origin on their way to the client that has sent the request (RFC 9110
  /// section 15.2), until its answer begins.
  final class InterimAnswers: Sendable {
    private let client: ClientChannel
    private let isOver = Mutex(false)

    init(to client: ClientChannel) { self.client = client }

    /// Sends one; by any thread.
    func send(_ status: Int, _ fields: HeaderFields) {
      let kept = Self.sent(fields)
      isOver.withLock { isOver in
        // Behind it comes the answer, or that of the next request.
        if !isOver { client.writeInterim(status, kept) }
      }
    }

    /// The fields that go on. RFC 9110 section 8.6: no length, as there is no content.
    static func sent(_ fields: HeaderFields) -> HeaderFields {
      let kept = HopByHopFields.removed(from: fields).removing(["content-length"])
      return HeaderFields(
        UndecodedFields.removed(from: kept).lines.filter {
          FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value)
        })
    }

    /// The answer begins.
    func end() { isOver.withLock { $0 = true } }
  }
#endif
