#if HTTP
  extension OriginServer {
    /// A request as it came over the wire.
    public struct Request: Sendable {
      /// The method, as written.
      public let method: String
      /// The request target: path and query, or `host:port` of a `CONNECT`.
      public let target: String
      /// The header fields in order.
      public let fields: [(name: String, value: String)]
      /// The request line and the fields as they came, byte by byte.
      public let head: [UInt8]
      /// The body.
      public let body: [UInt8]

      /// The target without its query.
      public var path: String { String(target.prefix { $0 != "?" }) }

      /// The value of the first field of that name, whose case does not matter.
      public subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
      }
    }
  }
#endif
