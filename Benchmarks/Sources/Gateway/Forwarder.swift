internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// The floor of misses: a server that passes each request on and keeps nothing. It is made of the
/// gateway's libraries and runs on one thread.
enum Forwarder {
  /// Listens, and serves until the process is ended.
  static func run(on port: Int, to origin: Int) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var configuration = HTTPClient.Configuration()
    configuration.httpVersion = .http1Only
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    try await OneThreadServer.run(on: port, group) { pipeline in
      try pipeline.configureHTTPServerPipeline()
      try pipeline.addHandler(ForwardingHandler(client, to: "http://127.0.0.1:\(origin)"))
    }
    try await client.shutdown()
    try await group.shutdownGracefully()
  }
}

/// Asks the origin for the path of each request without content, and passes the answer on as it comes.
private final class ForwardingHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let client: HTTPClient
  private let origin: String
  private var path = "/"

  init(_ client: HTTPClient, to origin: String) {
    (self.client, self.origin) = (client, origin)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): path = head.uri
    case .body: break
    case .end:
      let forwarding = Forwarding(
        client: client, address: origin + path, channel: context.channel)
      Task { await forwarding.run() }
    }
  }
}

/// One request in flight.
private struct Forwarding: Sendable {
  let client: HTTPClient
  let address: String
  let channel: any Channel

  func run() async {
    do {
      try await forward()
    } catch {
      channel.close(promise: nil)
    }
  }

  private func forward() async throws {
    let answer = try await client.execute(
      HTTPClientRequest(url: address), deadline: .distantFuture)
    let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: answer.headers)
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    for try await part in answer.body {
      channel.write(HTTPServerResponsePart.body(.byteBuffer(part)), promise: nil)
    }
    channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
  }
}
