/// An event that happens once, and can be awaited.
struct Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func fire() { continuation.finish() }

  func fired() async {
    for await _ in stream {}
  }
}
