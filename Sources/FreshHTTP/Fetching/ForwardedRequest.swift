#if HTTP
  package import NIOCore

  /// A request that is sent on.
  package struct ForwardedRequest: Sendable {
    let method: String
    let address: HTTPAddress
    let fields: HeaderFields
    let content: Content?

    /// - Parameters:
    ///   - fields: What is sent, but for `Host` and the framing.
    ///   - content: `nil` for a request without any.
    package init(
      _ method: String, _ address: HTTPAddress, _ fields: HeaderFields, content: Content? = nil
    ) {
      (self.method, self.address, self.fields) = (method, address, fields)
      self.content = content
    }

    /// The content, of which each part is asked for when there is room for it.
    package struct Content: AsyncSequence, Sendable {
      package typealias Element = ByteBuffer

      let length: Int64?
      private let part: @Sendable () async throws -> ByteBuffer?

      /// - Parameters:
      ///   - length: How many bytes it has; `nil` where the end will tell.
      ///   - part: The next part; `nil` at the end.
      package init(
        length: Int64?, _ part: @escaping @Sendable () async throws -> ByteBuffer?
      ) {
        (self.length, self.part) = (length, part)
      }

      package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: part) }

      package struct AsyncIterator: AsyncIteratorProtocol {
        let part: @Sendable () async throws -> ByteBuffer?

        package func next() async throws -> ByteBuffer? { try await part() }
      }
    }

    /// RFC 9110 section 9.2.2: a request without content whose method is idempotent may be sent twice.
    var mayBeRepeated: Bool {
      content == nil && ["GET", "HEAD", "OPTIONS", "TRACE", "DELETE"].contains(method)
    }
  }
#endif
