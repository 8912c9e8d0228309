#if HTTP
  package import NIOCore
  internal import Synchronization

  /// A request that is sent on.
  package struct ForwardedRequest: Sendable {
    let method: String
    let address: HTTPAddress
    let fields: HeaderFields
    let content: Content?
    /// Takes informational answers as they come, but for 100 and 101, by any thread.
    let interim: (@Sendable (_ status: Int, _ fields: HeaderFields) -> Void)?
    let waiting = Waiting()

    /// - Parameters:
    ///   - fields: What is sent, but for the framing; `Host` is that of the address where they have none.
    ///   - content: `nil` for a request without any.
    ///   - interim: Takes informational answers as they come, but for 100 and 101, by any thread; over HTTP/2
    ///     there are none.
    package init(
      _ method: String, _ address: HTTPAddress, _ fields: HeaderFields, content: Content? = nil,
      interim: (@Sendable (_ status: Int, _ fields: HeaderFields) -> Void)? = nil
    ) {
      (self.method, self.address, self.fields) = (method, address, fields)
      (self.content, self.interim) = (content, interim)
    }

    /// The failure of a request that waits, as others hold all connections to its origin; `nil` for any other.
    package var shortage: HTTPFetchError? { waiting.isShort ? outOfConnections : nil }

    /// True when it failed as there was no connection: nothing of it was sent.
    package var wasUnconnected: Bool { waiting.isUnconnected }

    /// True when it failed while its origin waited for more of its content: whoever sends that may have been too slow.
    package var wasIncomplete: Bool { waiting.isIncomplete }

    var outOfConnections: HTTPFetchError {
      .shortage(address.redacted, description: "all connections to the origin are in use")
    }

    /// Whether the request waits for others of this process, has found no connection, or has not come to its end.
    final class Waiting: Sendable {
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

    /// The content, of which each part is asked for when there is room for it.
    package struct Content: AsyncSequence, Sendable {
      package typealias Element = ByteBuffer

      let length: Int64?
      private let part: @Sendable () async throws -> ByteBuffer?

      /// - Parameters:
      ///   - length: How many bytes it has; `nil` where the end will tell.
      ///   - part: The next part; `nil` at the end.
      package init(
        length: Int64?, _ part: @escaping @Sendable () async throws -> ByteBuffer?
      ) {
        (self.length, self.part) = (length, part)
      }

      /// The same, which tells how it goes on.
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

    /// False where an origin may take what comes next on its connection for something else: content that it has not read
    /// for a request (RFC 9112 section 11.2), which has no meaning with these methods (RFC 9110 section 9.3), or the next
    /// client for this one, whom it has let in for as long as the connection lasts (RFC 4559 section 6).
    var mayShareConnection: Bool {
      if content != nil, ["GET", "HEAD", "OPTIONS", "DELETE"].contains(method) { return false }
      return !fields.values("Authorization").contains { credentials in
        let scheme = FieldSyntax.lowercased(String(credentials.prefix { $0 != " " }))
        return scheme == "negotiate" || scheme == "ntlm"
      }
    }
  }

  /// How the content of a request goes on, which has two ends: an origin that takes nothing for too long has
  /// failed, one that is sent nothing has not.
  final class UploadPace: Sendable {
    /// The origin takes nothing.
    struct Stalled: Error {}

    private struct State {
      /// Since when the origin has not asked for more; `nil` while it waits for a part.
      var handedAt: ContinuousClock.Instant?
      /// True while it waits for a part.
      var isAwaiting = false
      var isBroken = false
      var hasBegun = false
    }

    private let state = Mutex(State())

    /// True when the content came to no end: whatever becomes of the request is not the origin's fault.
    var isBroken: Bool { state.withLock(\.isBroken) }

    /// True once a part was asked for.
    var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// True while the origin waits for a part: where it ends the connection, it may have waited for too long.
    var isAwaiting: Bool { state.withLock(\.isAwaiting) }

    /// A part is asked for: all before it was taken.
    func ask() {
      state.withLock { ($0.handedAt, $0.isAwaiting, $0.hasBegun) = (nil, true, true) }
    }

    /// A part is on its way. After the last one the origin is no longer waited for here.
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
        try await Task.sleep(until: (handedAt ?? now) + limit, clock: .continuous)
      }
    }
  }
#endif
