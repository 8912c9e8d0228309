#if HTTP
  internal import OriginServer
  internal import Synchronization

  /// The one resource of the demonstration, in numbered editions.
  final class News: Sendable {
    private let edition = Mutex(1)

    func answer(_ request: OriginServer.Request) -> OriginServer.Response {
      guard request.path == "/news" else { return .init(404, body: "not here\n") }
      switch request.method {
      case "GET": return present(request)
      case "POST":
        edition.withLock { $0 += 1 }
        return .init(204)
      default: return .init(405, ["Allow": "GET, POST"])
      }
    }

    private func present(_ request: OriginServer.Request) -> OriginServer.Response {
      let edition = edition.withLock { $0 }
      let tag = "\"edition-\(edition)\""
      let lifetime = "max-age=2, stale-if-error=60"
      guard request["If-None-Match"] != tag else {
        return .init(304, ["ETag": tag, "Cache-Control": lifetime])
      }
      return .init(
        200, ["Content-Type": "application/json", "ETag": tag, "Cache-Control": lifetime],
        body: #"{"edition":\#(edition),"headline":"Edition \#(edition) is out"}"# + "\n")
    }
  }
#endif
