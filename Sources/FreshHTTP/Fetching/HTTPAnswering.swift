#if HTTP
  /// Who answers single requests: the network, or a closure in its place.
  protocol HTTPAnswering: AnyObject, Sendable {
    /// True once ``close()`` was called: no request succeeds any more.
    var hasEnded: Bool { get }

    /// Answers one request: with the whole body where it is the value, with its beginning where that is
    /// kept, else only with as much of it as a message needs.
    ///
    /// - Parameter keepsBody: True for a status whose body is kept beside it, up to ``Refusal/bodyLimit``:
    ///   it has the time of the whole request.
    func answer(
      to fields: HeaderFields, method: String, body: [UInt8]?, at address: HTTPAddress,
      keepsBody: @escaping @Sendable (_ status: Int) -> Bool
    ) async throws(HTTPFetchError) -> HTTPAnswer

    /// Ends the requests under way, and answers no more.
    func close() async
  }

  extension HTTPAnswering {
    /// Answers a request of whose failure only words are kept.
    func answer(
      to fields: HeaderFields, method: String, body: [UInt8]?, at address: HTTPAddress
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      try await answer(to: fields, method: method, body: body, at: address) { _ in false }
    }
  }
#endif
