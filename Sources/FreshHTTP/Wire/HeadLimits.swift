/// How much a peer may send before anything is known of its message. Behind each limit: how a gateway refuses more.
package struct HeadLimits: Sendable, Hashable {
  /// The most bytes of the request line: 414.
  package var requestLine = 8 << 10
  /// The most bytes of the request line and the fields together, and of trailers: 431.
  package var bytes = 64 << 10
  /// The most field lines, and the most trailers: 431.
  package var fields = 128
  /// The most bytes of content: 413.
  package var content: Int64 = 1 << 30
  /// The most bytes of the extensions of one chunk: 400. Nobody reads them.
  package var chunkExtension = 256

  /// The defaults.
  package init() {}
}
