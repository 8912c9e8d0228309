#if HTTP
  package import NIOCore
  internal import Synchronization

  /// A request that is forwarded.
  package struct ForwardedRequest: Sendable {
    let method: String
    let address: HTTPAddress
    let fields: HeaderFields
    let content: Content?
    /// Receives informational responses as they come, except 100 and 101, on any thread.
    let interim: (@Sendable (_ status: Int, _ fields: HeaderFields) -> Void)?
    let waiting = WaitState()

    /// - Parameters:
    ///   - fields: The fields to send, without the framing. Without a `Host` among them, that of the address
    ///     is sent.
    ///   - content: The content; `nil` for a request without any.
    ///   - interim: Receives informational responses as they come, except 100 and 101, on any thread. Over
    ///     HTTP/2 there are none.
    package init(
      _ method: String, _ address: HTTPAddress, _ fields: HeaderFields, content: Content? = nil,
      interim: (@Sendable (_ status: Int, _ fields: HeaderFields) -> Void)? = nil
    ) {
      (self.method, self.address, self.fields) = (method, address, fields)
      (self.content, self.interim) = (content, interim)
    }

    /// The failure of a request that waits because others use all connections to its origin; `nil` for any other.
    package var shortage: HTTPFetchError? { waiting.isShort ? outOfConnections : nil }

    /// True when it failed because there was no connection. Nothing of it was sent.
    package var wasUnconnected: Bool { waiting.isUnconnected }

    /// True when it failed while its origin waited for more of its content: the sender of the content may
    /// have been too slow.
    package var wasIncomplete: Bool { waiting.isIncomplete }

    var outOfConnections: HTTPFetchError {
      .shortage(address.redacted, description: "all connections to the origin are in use")
    }

    /// The reasons for which a request may have failed: no free connection, no connection at all, or
    /// incomplete content.
    final class WaitState: Sendable {
      private let short = Atomic<Bool>(false)
      private let unconnected = Atomic<Bool>(false)
      private let incomplete = Atomic<Bool>(false)

      var isIncomplete: Bool {
        get { incomplete.load(ordering: .relaxed) }
        set { incomplete.store(newValue, ordering: .relaxed) }
      }

      var isUnconnected: Bool {
        get { unconnected.load(ordering: .relaxed) }
        set { unconnected.store(newValue, ordering: .relaxed) }
      }

      var isShort: Bool {
        get { short.load(ordering: .relaxed) }
        set { short.store(newValue, ordering: .relaxed) }
      }
    }

    /// The content. Each part is requested when there is room for it.
    package struct Content: AsyncSequence, Sendable {
      package typealias Element = ByteBuffer

      let length: Int64?
      private let part: @Sendable () async throws -> ByteBuffer?

      /// - Parameters:
      ///   - length: The number of bytes; `nil` if only the end tells.
      ///   - part: The next part; `nil` at the end.
      package init(
        length: Int64?, _ part: @escaping @Sendable () async throws -> ByteBuffer?
      ) {
        (self.length, self.part) = (length, part)
      }

      /// The same content, which reports its progress to `pace`.
      func paced(by pace: UploadPace) -> Content {
        Content(length: length) { [part] in
          pace.ask()
          do {
            let next = try await part()
            pace.hand(isLast: next == nil)
            return next
          } catch {
            pace.breakOff()
            throw error
          }
        }
      }

      package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: part) }

      package struct AsyncIterator: AsyncIteratorProtocol {
        let part: @Sendable () async throws -> ByteBuffer?

        package func next() async throws -> ByteBuffer? { try await part() }
      }
    }

    /// False when an origin may mistake the next bytes on the connection. There are two cases:
    ///
    /// - It has not read the content of a request (RFC 9112 section 11.2), because content has no meaning
    ///   with the method (RFC 9110 section 9.3).
    /// - It authenticates a connection instead of a request (RFC 4559 section 6), and would take the next
    ///   client for this one.
    var mayShareConnection: Bool {
      if content != nil, ["GET", "HEAD", "OPTIONS", "DELETE"].contains(method) { return false }
      return !fields.values("Authorization").contains { credentials in
        let scheme = FieldSyntax.lowercased(String(credentials.prefix { $0 != " " }))
        return scheme == "negotiate" || scheme == "ntlm"
      }
    }
  }

  /// The progress of a request's content. An origin that takes nothing for too long has failed; an origin
  /// that is sent nothing has not.
  final class UploadPace: Sendable {
    /// The origin has taken nothing for too long.
    struct Stalled: Error {}

    private struct State {
      /// The time since which the origin has not asked for more; `nil` while it waits for a part.
      var handedAt: ContinuousClock.Instant?
      /// True while it waits for a part.
      var isAwaiting = false
      var isBroken = false
      var hasBegun = false
    }

    private let state = Mutex(State())

    /// True when the content broke off. A failure of the request is then not the origin's fault.
    var isBroken: Bool { state.withLock(\.isBroken) }

    /// True once a part was requested.
    var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// True while the origin waits for a part. If it ends the connection, it may have waited for too long.
    var isAwaiting: Bool { state.withLock(\.isAwaiting) }

    /// Notes that a part is requested: all parts before it were taken.
    func ask() {
      state.withLock { ($0.handedAt, $0.isAwaiting, $0.hasBegun) = (nil, true, true) }
    }

    /// Notes that a part is in flight. After the last one the origin is no longer timed here.
    func hand(isLast: Bool) {
      state.withLock { ($0.handedAt, $0.isAwaiting) = (isLast ? nil : ContinuousClock.now, false) }
    }

    func breakOff() { state.withLock { $0.isBroken = true } }

    /// Throws ``Stalled`` once the origin has taken nothing of a part for that long.
    func watch(_ limit: Duration) async throws {
      while true {
        let handedAt = state.withLock(\.handedAt)
        let now = ContinuousClock.now
        if let handedAt, now - handedAt >= limit { throw Stalled() }
        // A part that is handed on meanwhile moves the end: the next turn looks at it.
        try await Task.sleep(until: (handedAt ?? now) + limit, clock: .continuous)
      }
    }
  }
#endif
