#if HTTP
  public import Rules

  /// The transport to a server that judges values, over http or https.
  ///
  /// ```swift
  /// let transport = try HTTPRuleTransport("https://example.org/names/check")
  /// let isFree = RemoteRule<String>(via: transport)
  /// ```
  ///
  /// It follows no redirects, keeps no cookies and repeats nothing: a redirect is an answer with its status.
  /// It serves any number of requests at once over one event loop, which ``close()`` ends. A transport that
  /// is released without it closes in the background.
  public struct HTTPRuleTransport: RemoteRuleTransport {
    private let address: HTTPAddress
    private let fields: HeaderFields
    private let transport: HTTPTransport

    /// Creates a transport to an address; nothing is sent.
    ///
    /// Of the configuration, these settings count: the headers, the user agent, the time to connect, the
    /// largest body, the proxies, the socket, the trusted issuers and the certificate. The rule sets the time
    /// for an answer. Throws `badURL`, `unsupportedScheme` and `badConfiguration`.
    public init(
      _ url: String, _ configuration: HTTPConfiguration = HTTPConfiguration()
    ) throws(HTTPFetchError) {
      try configuration.validate()
      address = try HTTPAddress(fetched: url)
      var fields = configuration.requestFields(withCredentials: true)
      fields.set("Accept", "application/json")
      fields.set("Content-Type", "application/json")
      self.fields = fields
      transport = try HTTPTransport(configuration)
    }

    /// Posts a request and returns the answer, whatever its status is.
    public func answer(to body: [UInt8]) async throws(HTTPFetchError) -> RemoteAnswer {
      let answer = try await transport.answer(
        to: fields, method: "POST", body: body, at: address,
        part: HTTPAnswer.BodyPart.valueOrWords)
      return RemoteAnswer(status: answer.status, body: answer.body)
    }

    /// Ends the event loop; requests in flight fail.
    public func close() async {
      await transport.close()
    }
  }
#endif
