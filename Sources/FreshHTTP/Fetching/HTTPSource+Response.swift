#if HTTP
  extension HTTPSource {
    /// The answer to a request: of a closure in place of a network (``HTTPSource/init(_:answering:)``), or to
    /// ``HTTPSource/send(_:to:headers:body:contentType:idempotencyKey:accepting:)``.
    public struct Response: Sendable, Hashable {
      /// The status, 200 to 599.
      public var status: Int
      /// The header fields. Those of a coding have no place here, as the body is not decoded.
      public var headers: HeaderFields
      /// The content.
      public var body: [UInt8]

      /// Creates an answer.
      public init(
        _ status: Int = 200, headers: HeaderFields = HeaderFields(), body: [UInt8] = []
      ) {
        self.status = status
        self.headers = headers
        self.body = body
      }

      /// Creates an answer with a text, in UTF-8.
      public init(_ status: Int = 200, headers: HeaderFields = HeaderFields(), text: String) {
        self.init(status, headers: headers, body: Array(text.utf8))
      }
    }
  }
#endif
