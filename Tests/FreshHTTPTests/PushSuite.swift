#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Strategies
  internal import Synchronization

  /// The one object of an origin: its versions are its tags.
  final class Shelf: Sendable {
    let state = Mutex<(version: Int, body: String?)>((1, "one"))

    func answer(_ request: OriginServer.Request) -> OriginServer.Response {
      state.withLock { shelf in
        let tag = "\"\(shelf.version)\""
        if request.method == "GET" {
          return shelf.body.map { .init(200, ["ETag": tag], body: $0) } ?? .init(404)
        }
        if request["If-None-Match"] == "*", shelf.body != nil { return .init(412) }
        if let match = request["If-Match"], shelf.body == nil || match != tag {
          return .init(412)
        }
        shelf.version += 1
        shelf.body =
          request.method == "DELETE" ? nil : String(decoding: request.body, as: UTF8.self)
        return .init(204, ["ETag": "\"\(shelf.version)\""])
      }
    }
  }

  /// Tests of writes over HTTP.
  protocol PushSuite {}

  extension PushSuite {
    func write(_ kind: WriteKind, _ text: String?, tag: String? = nil) -> PendingWrite<
      [UInt8]
    > {
      PendingWrite(
        key: "1", kind: kind, value: text.map { Array($0.utf8) }, idempotencyKey: "k",
        baseValidators: Validators(entityTag: tag), contentType: "text/plain")
    }

    /// A write upon what an earlier answer has left.
    func write(
      _ kind: WriteKind, _ text: String, upon base: String, _ details: FetchDetails
    ) -> PendingWrite<[UInt8]> {
      PendingWrite(
        key: "1", kind: kind, value: Array(text.utf8), idempotencyKey: "l",
        base: Array(base.utf8), baseValidators: details.validators, contentType: "text/plain",
        metadata: details.metadata)
    }
  }
#endif
