#if Gateway
  internal import Foundation
  internal import FreshStoreTesting
  internal import OriginServer

  @testable import FreshGateway

  extension GatewayBench {
    func open() async throws -> FrameClient { try await FrameClient.open(gateway.port) }

    /// Waits until so many requests were answered in this way.
    func wait(for served: Served, _ count: Int = 1) async {
      while gateway.figures.served[served.rawValue] < count { await Task.yield() }
    }
  }

  /// Runs a gateway of TLS, as ``withGateway(_:_:test:)`` does one without.
  func withStreams(
    _ configure: (inout GatewayOptions) -> Void = { _ in },
    _ handler: @escaping OriginServer.Handler,
    test: (GatewayBench) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let certificate = GatewayOptions.Certificate(
      chain: folder.file("chain.pem"), key: folder.file("key.pem"))
    for (path, text) in [
      (certificate.chain, TestCertificates.localhost.certificate),
      (certificate.key, TestCertificates.localhost.key),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    try await withGateway(
      { options in
        options.certificate = certificate
        configure(&options)
      }, handler, test: test)
  }
#endif
