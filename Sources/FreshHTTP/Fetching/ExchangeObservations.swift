#if HTTP
  internal import NIOCore
  internal import NIOHTTP1
  internal import Synchronization

  /// The exchanges of a forwarder over plain connections of HTTP/1, of which it wants to hear what the client
  /// library keeps to itself: informational answers and trailers.
  ///
  /// A field that never leaves this process tells the connection which exchange it bears.
  final class ExchangeObservations: Sendable {
    static let field = "freshstore-exchange"

    private let observations = Mutex<[String: ExchangeObservation]>([:])
    private let last = Atomic<UInt64>(0)

    /// Names an exchange, until ``end(_:)``. Nobody else can send the field: it is taken out of what clients send.
    func begin(_ observation: ExchangeObservation) -> String {
      let name = "\(last.wrappingAdd(1, ordering: .relaxed).newValue)"
      observations.withLock { $0[name] = observation }
      return name
    }

    func end(_ name: String) {
      observations.withLock { _ = $0.removeValue(forKey: name) }
    }

    func find(_ name: String) -> ExchangeObservation? { observations.withLock { $0[name] } }

    /// Watches a new connection of HTTP/1.
    func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
      channel.eventLoop.submit {
        let operations = channel.pipeline.syncOperations
        let decoder = try operations.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try operations.addHandler(ExchangeWatch(self), position: .after(decoder))
      }
    }
  }

  /// What was heard of one exchange.
  final class ExchangeObservation: Sendable {
    private struct State {
      var trailers = HeaderFields()
      var interimLeft = 16
    }

    private let state = Mutex(State())
    private let interim: (@Sendable (_ status: Int, _ fields: HeaderFields) -> Void)?

    init(_ interim: (@Sendable (_ status: Int, _ fields: HeaderFields) -> Void)?) {
      self.interim = interim
    }

    /// The trailers, once the end of the content was read.
    var trailers: HeaderFields { state.withLock(\.trailers) }

    func note(trailers: HTTPHeaders) {
      let fields = HeaderFields(trailers.map { HeaderFields.Line(name: $0.name, value: $0.value) })
      state.withLock { $0.trailers = fields }
    }

    /// One that sends them without end is heard for a while.
    func note(interim head: HTTPResponseHead) {
      guard let interim else { return }
      let isHeard = state.withLock { state in
        state.interimLeft -= 1
        return state.interimLeft >= 0
      }
      guard isHeard else { return }
      interim(
        Int(head.status.code),
        HeaderFields(head.headers.map { HeaderFields.Line(name: $0.name, value: $0.value) }))
    }
  }

  /// Hears what comes over one connection, and takes the name of the exchange out of what is sent.
  private final class ExchangeWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let observations: ExchangeObservations
    private var observation: ExchangeObservation?

    init(_ observations: ExchangeObservations) { self.observations = observations }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      guard case .head(var head) = unwrapOutboundIn(data) else {
        return context.write(data, promise: promise)
      }
      observation = head.headers.first(name: ExchangeObservations.field).flatMap(observations.find)
      head.headers.remove(name: ExchangeObservations.field)
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      // 100 is of this hop, and 101 is final.
      case .head(let head) where (102..<200).contains(head.status.code):
        observation?.note(interim: head)
      case .end(let trailers?): observation?.note(trailers: trailers)
      case .head, .body, .end: break
      }
      context.fireChannelRead(data)
    }
  }
#endif
