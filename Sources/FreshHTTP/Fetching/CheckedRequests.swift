#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1
  internal import Platform
  internal import Synchronization

  /// The requests of a transport that are in flight, as they were checked.
  ///
  /// The client library parses an address by rules of its own: it loses bytes that are no UTF-8, and encodes
  /// the rest again. So it gets only the origin, the framing, and the name of the request in a field that
  /// never leaves this process. The connection looks up the head under that name (``OriginWire``) and writes
  /// it. It writes no head without such a name.
  final class CheckedRequests: Sendable {
    static let field = "freshstore-request"

    private let requests = Mutex<[String: CheckedRequest]>([:])
    private let last = Atomic<UInt64>(0)

    /// Stores a request under a new name, until ``end(_:)``.
    func begin(_ request: CheckedRequest) -> String {
      let name = "\(last.wrappingAdd(1, ordering: .relaxed).newValue)"
      requests.withLock { $0[name] = request }
      return name
    }

    func end(_ name: String) {
      requests.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// The request that the client library is about to send; `nil` if it names none.
    func find(_ head: HTTPRequestHead) -> CheckedRequest? {
      guard let name = head.headers.first(name: Self.field) else { return nil }
      return requests.withLock { $0[name] }
    }
  }

  /// The head of a request, as it was checked, and what arrives of its exchange beside the response.
  final class CheckedRequest: Sendable {
    private struct State {
      var trailers = HeaderFields()
      var interimLeft = 16
    }

    let method: String
    let address: HTTPAddress
    /// The fields without those of the framing.
    let fields: HeaderFields
    /// True for a request to a proxy, which needs the whole address (RFC 9112 section 3.2.2).
    private let isAbsolute: Bool
    private let interim: (@Sendable (_ status: Int, _ fields: HeaderFields) -> Void)?
    private let state = Mutex(State())

    init(
      _ method: String, _ address: HTTPAddress, _ fields: HeaderFields, isAbsolute: Bool = false,
      interim: (@Sendable (_ status: Int, _ fields: HeaderFields) -> Void)? = nil
    ) {
      (self.method, self.address, self.isAbsolute) = (method, address, isAbsolute)
      self.interim = interim
      self.fields = fields.removing(["content-length", "transfer-encoding"])
    }

    /// The message for the client library: the origin, the method, and the name of this request.
    func message(named name: String) -> HTTPClientRequest {
      var message = HTTPClientRequest(url: "\(address.scheme.rawValue)://\(address.authority)/")
      message.method = HTTPMethod(rawValue: method)
      message.headers.add(name: CheckedRequests.field, value: name)
      return message
    }

    /// The head that is sent, with the framing of the client library.
    ///
    /// - Throws: `badURL` for a head that would be read as something else. Nothing of it is sent.
    func head(framedBy head: HTTPRequestHead) throws(HTTPFetchError) -> HTTPRequestHead {
      let target = isAbsolute ? address.text : address.target
      guard FieldSyntax.isToken(method), HTTPAddress.isTarget(address.target),
        fields.lines.allSatisfy({
          FieldSyntax.isToken($0.name) && FieldSyntax.isFieldValue($0.value)
        })
      else {
        throw .badURL(address.redacted, reason: "its request cannot be sent as it was checked")
      }
      var sent = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method), uri: target)
      // `Host` comes first (RFC 9110 section 7.2). A gateway may keep the one that its client has sent.
      sent.headers.add(name: "Host", value: fields.first("Host") ?? address.authority)
      for line in fields.removing(["host"]).lines {
        sent.headers.add(name: line.name, value: line.value)
      }
      for name in ["Content-Length", "Transfer-Encoding", "Connection"] {
        guard let value = head.headers.first(name: name) else { continue }
        sent.headers.replaceOrAdd(name: name, value: value)
      }
      return sent
    }

    /// The trailers, after the end of the content.
    var trailers: HeaderFields { state.withLock(\.trailers) }

    func note(trailers: HeaderFields) { state.withLock { $0.trailers = trailers } }

    /// Passes an informational response on. An origin may send them without end, so only the first ones are
    /// passed on.
    func note(interim status: Int, _ fields: HeaderFields) {
      guard let interim else { return }
      let isHeard = state.withLock { state in
        state.interimLeft -= 1
        return state.interimLeft >= 0
      }
      if isHeard { interim(status, fields) }
    }
  }

  /// How often one request is sent again after its connection has ended.
  struct ResendLimit {
    private var mayRepeat: Bool
    /// A connection may have ended for each request that used it: this many are tried.
    private var unsentLeft = 16

    /// - Parameter mayRepeat: False for a request that can be sent only once.
    init(mayRepeat: Bool = true) { self.mayRepeat = mayRepeat }

    /// Counts a failure; true when the request is to be sent again.
    ///
    /// - Parameter isUntouched: False once a part of its content was asked for.
    mutating func allows(
      _ request: CheckedRequest, after error: any Error, isUntouched: Bool = true
    ) -> Bool {
      if error as? AnswerFault == .unsent {
        guard unsentLeft > 0, isUntouched else { return false }
        unsentLeft -= 1
        return true
      }
      // A second request does no harm when the method is idempotent (RFC 9110 section 9.2.2).
      guard mayRepeat, Self.idempotent.contains(request.method),
        Self.isEndOfIdleConnection(error)
      else { return false }
      mayRepeat = false
      return true
    }

    private static let idempotent: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

    /// True when a connection without a request ended as this one came (RFC 9112 section 9.3.1).
    private static func isEndOfIdleConnection(_ error: any Error) -> Bool {
      if let error = error as? HTTPClientError { return error == .remoteConnectionClosed }
      if let error = error as? AnswerFault { return error == .strayBytes }
      if case ChannelError.ioOnClosedChannel = error { return true }
      guard let code = (error as? IOError)?.errnoCode else { return false }
      return code == ECONNRESET || code == EPIPE
    }
  }

  extension HTTPHeaders {
    init(_ fields: HeaderFields) { self.init(fields.lines.map { ($0.name, $0.value) }) }
  }

  extension HeaderFields {
    init(_ headers: HTTPHeaders) {
      self.init(headers.map { Line(name: $0.name, value: $0.value) })
    }
  }
#endif
