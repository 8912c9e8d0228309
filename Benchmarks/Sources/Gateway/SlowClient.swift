/// A client that takes an answer slowly.
final class SlowClient {
  private let socket: LoopbackSocket
  private var part: [UInt8]

  /// Asks for a path.
  ///
  /// - Parameter size: The bytes that it takes at most at a time.
  init(_ path: String, on port: UInt16, size: Int) throws {
    socket = try LoopbackSocket()
    part = [UInt8](repeating: 0, count: size)
    // Otherwise the kernel would take a good part of the answer in its place.
    socket.limitReceiving(to: 65_536)
    try socket.connect(to: port)
    try socket.send(Request.head(path, port))
  }

  /// Takes some bytes, and waits until there are any.
  func take() throws { _ = try socket.receive(into: &part) }
}
