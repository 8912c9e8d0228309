#if HTTP
  public import Rules

  /// The transport to a server that judges values, over http or https.
  ///
  /// ```swift
  /// let transport = try HTTPRuleTransport("https://example.org/names/check")
  /// let isFree = RemoteRule<String>(via: transport)
  /// ```
  ///
  /// It follows no redirects, keeps no cookies and repeats nothing: a redirect is an answer with
  /// its status. It serves any number of questions at once over one event loop, which ``close()``
  /// ends; one that is released without it is closed in the background.
  public struct HTTPRuleTransport: RemoteRuleTransport {
    private let address: HTTPAddress
    private let fields: HeaderFields
    private let transport: HTTPTransport

    /// Creates a transport to an address; nothing is sent.
    ///
    /// Of the configuration, its headers, user agent, time to connect, largest body, proxies, socket,
    /// trust and certificate count; the time for an answer is the rule's. Throws `badURL`,
    /// `unsupportedScheme` and `badConfiguration`.
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

    /// Posts a question and returns the answer, whatever its status.
    public func answer(to body: [UInt8]) async throws(HTTPFetchError) -> RemoteAnswer {
      let answer = try await transport.answer(
        to: fields, method: "POST", body: body, at: address,
        part: HTTPAnswer.BodyPart.valueOrWords)
      return RemoteAnswer(status: answer.status, body: answer.body)
    }

    /// Ends the event loop; requests under way fail.
    public func close() async {
      await transport.close()
    }
  }
#endif
