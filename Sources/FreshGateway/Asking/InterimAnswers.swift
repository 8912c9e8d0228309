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
      let kept = UndecodedFields.removed(from: HopByHopFields.removed(from: fields)).lines.filter {
        FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value)
      }
      isOver.withLock { isOver in
        // Behind it comes the answer, or that of the next request.
        if !isOver { client.writeInterim(status, HeaderFields(kept)) }
      }
    }

    /// The answer begins.
    func end() { isOver.withLock { $0 = true } }
  }
#endif
