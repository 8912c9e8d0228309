#if HTTP
  extension HTTPSource {
    /// A request, as a closure in place of a network gets it
    /// (``HTTPSource/init(_:answering:)``).
    public struct Request: Sendable, Hashable {
      /// The method, such as `GET`.
      public let method: String
      /// The whole address in its normal form.
      public let url: String
      /// The header fields, without those that only a connection needs: `Host` and `Content-Length`.
      public let headers: HeaderFields
      /// The content; empty without any.
      public let body: [UInt8]
    }
  }
#endif
