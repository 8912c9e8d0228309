#if HTTP
  /// Who answers single requests: the network, or a closure in its place.
  protocol HTTPAnswering: AnyObject, Sendable {
    /// True once ``close()`` was called: no request succeeds any more.
    var hasEnded: Bool { get }

    /// Answers one request.
    ///
    /// - Parameter part: How much of the body is read, by the status.
    func answer(
      to fields: HeaderFields, method: String, body: [UInt8]?, at address: HTTPAddress,
      part: @escaping @Sendable (_ status: Int) -> HTTPAnswer.BodyPart
    ) async throws(HTTPFetchError) -> HTTPAnswer

    /// Ends the requests under way, and answers no more.
    func close() async
  }

  extension HTTPAnswering {
    /// Answers a request of whose failure only words are kept.
    func answer(
      to fields: HeaderFields, method: String, body: [UInt8]?, at address: HTTPAddress
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      try await answer(
        to: fields, method: method, body: body, at: address, part: HTTPAnswer.BodyPart.valueOrWords)
    }
  }
#endif
