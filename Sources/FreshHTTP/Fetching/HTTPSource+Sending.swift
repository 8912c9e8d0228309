#if HTTP
  internal import FreshStore

  extension HTTPSource {
    /// A request that may be sent twice.
    struct Sending {
      let address: HTTPAddress
      /// The fields without those of the account.
      let fields: HeaderFields
      var method = "GET"
      var body: [UInt8]?
      /// False where a redirect has led to another origin.
      var carriesCredentials = true
      /// How much of the body is read, by the status.
      var part: @Sendable (_ status: Int) -> HTTPAnswer.BodyPart = HTTPAnswer.BodyPart.valueOrWords
    }

    /// Sends a request with the credentials of the account, if there is one, and once more after they were
    /// renewed, where the origin refuses them.
    func answer(
      to request: Sending, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      guard request.carriesCredentials, let credentials = configuration.credentials else {
        return try await send(request, request.fields)
      }
      let given = try await progress.awaitingCredentials {
        () async throws(HTTPFetchError) -> Credentials.Given in
        try await credentials.given(for: request.address)
      }
      let answer = try await send(request, with: given.fields)
      guard answer.status == 401, credentials.canRenew else { return answer }
      let renewed = try await progress.awaitingCredentials {
        () async throws(HTTPFetchError) -> Credentials.Given in
        try await credentials.renew(given, for: request.address, clock: configuration.clock)
        return try await credentials.given(for: request.address)
      }
      return try await send(request, with: renewed.fields)
    }

    private func send(
      _ request: Sending, with fields: HeaderFields
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      try HTTPConfiguration.check(fields.lines)
      var all = request.fields
      for line in fields.lines { all.set(line.name, nil) }
      for line in fields.lines { all.append(line.name, line.value) }
      let answer = try await send(request, all)
      return request.part(answer.status) == .whole ? answer : answer.without(secretsOf: fields)
    }

    private func send(
      _ request: Sending, _ fields: HeaderFields
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      try await transport.answer(
        to: fields, method: request.method, body: request.body, at: request.address,
        part: request.part)
    }
  }

  extension HTTPAnswer {
    /// This answer, without the credentials of its request in a body that is quoted or kept.
    func without(secretsOf fields: HeaderFields) -> HTTPAnswer {
      let clean = HTTPConfiguration(headers: fields).withoutSecrets(body, [HTTPAddress]())
      return HTTPAnswer(
        status: status, fields: self.fields, body: clean, arrival: arrival,
        responseDelay: responseDelay)
    }
  }
#endif
