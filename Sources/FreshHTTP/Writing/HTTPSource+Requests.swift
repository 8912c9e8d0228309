#if HTTP
  extension HTTPSource {
    /// Sends one request of your own, such as a `POST` of many local writes, and returns the response.
    ///
    /// It uses the headers and credentials of the configuration, as a push does. The credentials are renewed
    /// once after a 401. It has the same limits on time and size, and the same errors
    /// (`FreshStore.FetchErrorTraits`). By these a synchronizer pauses an origin, holds it until somebody has
    /// signed in, or waits as long as `Retry-After` says.
    ///
    /// The request is not repeated otherwise, and no redirect is followed.
    ///
    /// ```swift
    /// let answer = try await web.send(
    ///   "POST", to: "https://example.org/notes", body: batch, contentType: "application/json")
    /// ```
    ///
    /// - Parameters:
    ///   - method: The method, such as `POST`.
    ///   - headers: Fields that replace those of the configuration with the same name. `If-Match` and other
    ///     conditions are allowed.
    ///   - body: The content; `nil` for none.
    ///   - contentType: The media type of the content; `application/octet-stream` unless it is stated here or
    ///     in the headers.
    ///   - idempotencyKey: Names the request (`Idempotency-Key`), so that one whose response was lost can be
    ///     sent again. Many writes in one request have their own keys in its content instead, as another
    ///     attempt may combine other writes.
    ///   - statuses: Statuses, beside 2xx, whose response is returned.
    /// - Returns: The response with its whole body.
    /// - Throws: `status` for every other response, and the errors of a fetch; `badConfiguration` for a
    ///   method, a field, a media type or a key that cannot be sent.
    @discardableResult
    public func send(
      _ method: String, to url: String, headers: HeaderFields = HeaderFields(),
      body: [UInt8]? = nil, contentType: String? = nil, idempotencyKey: String? = nil,
      accepting statuses: Set<Int> = []
    ) async throws(HTTPFetchError) -> Response {
      let address = try HTTPAddress(fetched: url)
      let fields = try fields(
        of: method, headers, hasBody: body != nil, contentType, idempotencyKey)
      let request = Sending(
        address: address, fields: fields, method: method, body: body,
        part: { Self.isReturned($0, statuses) ? .whole : .words })
      let progress = FetchProgress(address)
      let received = try await limited(progress, sending: body?.count ?? 0) {
        [self] () throws(HTTPFetchError) in
        try await answer(to: request, progress)
      }
      guard Self.isReturned(received.status, statuses) else {
        throw FetchPlan.failure(
          received.without(secretsOf: headers), at: address, configuration, asked: [address])
      }
      try FetchPlan.refuseUnknownCoding(received, at: address)
      return Response(received.status, headers: received.fields, body: received.body)
    }

    private static func isReturned(_ status: Int, _ statuses: Set<Int>) -> Bool {
      (200...299).contains(status) || statuses.contains(status)
    }

    private func fields(
      of method: String, _ headers: HeaderFields, hasBody: Bool, _ contentType: String?,
      _ idempotencyKey: String?
    ) throws(HTTPFetchError) -> HeaderFields {
      guard FieldSyntax.isToken(method) else {
        throw .badConfiguration("the method of a request is one word, such as POST")
      }
      try HTTPConfiguration.check(headers.lines, allowing: HTTPConfiguration.conditions)
      var fields = configuration.requestFields(withCredentials: true)
      fields.replace(by: headers)
      if hasBody {
        try fields.setMediaType(
          contentType ?? fields.first("Content-Type") ?? "application/octet-stream")
      }
      if let idempotencyKey { try fields.setIdempotencyKey(idempotencyKey) }
      return fields
    }
  }
#endif
