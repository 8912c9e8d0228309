#if HTTP
  public import FreshStore
  internal import Reachability

  /// A source of bytes at http and https addresses, for the fetch of a store.
  ///
  /// ```swift
  /// let source = try HTTPSource()
  /// let news = try store.bytes("news", policy: .cacheFirst.from(source))
  /// let answer = try await news.get("today") { previous in
  ///   try await source.fetch("https://example.org/news", previous: previous)
  /// }
  /// ```
  ///
  /// A fetch is conditional when the copy's validators allow it (RFC 9111 section 4.3.1). The freshness of
  /// the response goes into the `FetchDetails`. 404 and 410 are `Fetched.gone(_:)`. Every other status
  /// without a value is an error, and so is every failure to get a response.
  ///
  /// One source serves any number of concurrent fetches over one event loop, which ``close()`` ends.
  public struct HTTPSource: Sendable {
    private(set) var configuration: HTTPConfiguration
    let transport: any HTTPAnswering

    /// Creates a source with an event loop of its own. Reads the files that the configuration names, and
    /// sends nothing. Throws `badConfiguration`.
    public init(_ configuration: HTTPConfiguration = HTTPConfiguration()) throws(HTTPFetchError) {
      try self.init(configuration, lookup: .system)
    }

    init(_ configuration: HTTPConfiguration, lookup: HostLookup) throws(HTTPFetchError) {
      try configuration.validate()
      self.configuration = configuration
      transport = try HTTPTransport(configuration, lookup: lookup)
    }

    /// Creates a source whose requests a closure answers, without a network: for tests and previews.
    ///
    /// ```swift
    /// let source = try HTTPSource { request in
    ///   HTTPSource.Response(200, headers: ["ETag": "\"1\""], text: "news at \(request.url)")
    /// }
    /// ```
    ///
    /// Everything else works as with a network: conditions, redirects, freshness, retries, limits,
    /// idempotency keys and failures. Give the configuration the clock of the store, and times follow it.
    /// Proxies, certificates, the socket and the time to connect have no effect.
    ///
    /// An ``HTTPFetchError`` that the closure throws is the failure of the request; any other error is a
    /// broken connection. The closure runs in a task of its own, which is cancelled with the request: a
    /// closure that never returns delays nothing. Throws `badConfiguration`.
    public init(
      _ configuration: HTTPConfiguration = HTTPConfiguration(),
      answering: @escaping @Sendable (Request) async throws -> Response
    ) throws(HTTPFetchError) {
      try configuration.validate()
      self.configuration = configuration
      transport = ScriptedTransport(configuration, answering)
    }

    /// A source with other headers that shares the event loop of this one: to close either ends both. Throws
    /// `badConfiguration`.
    package func sending(_ headers: HeaderFields) throws(HTTPFetchError) -> HTTPSource {
      var configuration = configuration
      configuration.headers = headers
      return try with(configuration)
    }

    /// A source with another configuration, over the same connections and event loop.
    package func with(_ configuration: HTTPConfiguration) throws(HTTPFetchError) -> HTTPSource {
      var source = self
      source.configuration = configuration
      try configuration.validate()
      return source
    }

    /// Fetches an address, conditionally if the copy allows it. The whole fetch ends within the configured
    /// time, with its redirects, body and retries. To cancel the task ends it at once.
    public func fetch<Value>(_ url: String, previous: Previous<Value>?) async throws(HTTPFetchError)
      -> Fetched<[UInt8]>
    {
      let address = try HTTPAddress(fetched: url)
      let plan = FetchPlan(address: address, configuration: configuration, previous: previous)
      let progress = FetchProgress(address)
      do throws(HTTPFetchError) {
        return try await limited(progress) { [self] () throws(HTTPFetchError) in
          try await runRetrying(plan, progress)
        }
      } catch {
        throw error.seen(from: address, at: progress.address)
      }
    }

    /// Fetches an address in full.
    public func fetch(_ url: String) async throws(HTTPFetchError) -> Fetched<[UInt8]> {
      try await fetch(url, previous: Previous<[UInt8]>?.none)
    }

    /// The origin of an address, `scheme://host:port`, which is the key of a store's breaker. Throws `badURL`
    /// and `unsupportedScheme`.
    public static func origin(of url: String) throws(HTTPFetchError) -> Origin {
      Origin(try HTTPAddress(fetched: url).origin)
    }

    /// True when a copy that was stored with that `FetchDetails.variant` answers requests of this source. It has
    /// the same variant (RFC 9111 section 4.1), and the same credentials unless it is public. Any other copy counts
    /// as missing, by the policy of every collection that is fetched with this source (`Policy.from(_:)`).
    public func selects(variant: String?) -> Bool {
      configuration.selects(variant: variant)
    }

    /// The `FetchDetails.variant` of a value that your own request has brought, or that its source has
    /// accepted. Only requests with the same credentials get it. A fetch and a push state it themselves.
    public var variant: String? { configuration.variant }

    /// Ends the event loop; requests in flight fail. Call it after the last fetch. A source that is released
    /// without it closes in the background.
    public func close() async {
      await transport.close()
    }

    // MARK: Inside

    /// Runs a fetch or a push within the configured time. A status that arrived by then is reported; only its
    /// words are missing.
    ///
    /// A request that still waits for credentials ends a moment earlier: a caller with the same limit would
    /// take that for silence.
    func limited<Result: Sendable>(
      _ progress: FetchProgress, sending size: Int = 0,
      _ work: @escaping @Sendable () async throws(HTTPFetchError) -> Result
    ) async throws(HTTPFetchError) -> Result {
      let (configuration, address) = (configuration, progress.address)
      let timeout = configuration.timeout(sending: size)
      // The end is computed before the work begins, so that a manual clock which moves once it has begun ends it.
      let end =
        Duration.milliseconds(configuration.clock.reading().sinceBoot) + timeout
      let result = await withTaskGroup { group in
        group.addTask { () -> Swift.Result<Result, HTTPFetchError>? in
          do throws(HTTPFetchError) {
            return .success(try await work())
          } catch {
            return .failure(error)
          }
        }
        group.addTask {
          do {
            if configuration.credentials != nil {
              try await configuration.clock.sleep(until: end - min(.seconds(1), timeout / 10))
              if progress.awaitsCredentials { return .failure(progress.lateCredentials) }
            }
            try await configuration.clock.sleep(until: end)
            return .failure(
              progress.awaitsCredentials
                ? progress.lateCredentials : .timedOut(address.redacted, after: timeout))
          } catch {
            // The work ended first.
            return nil
          }
        }
        defer { group.cancelAll() }
        var timeout: Swift.Result<Result, HTTPFetchError>?
        for await case let result? in group {
          switch result {
          // The cancelled work may still report more.
          case .failure(.timedOut) where timeout == nil:
            timeout = result
            group.cancelAll()
          case .failure(.cancelled) where timeout != nil: break
          default: return result
          }
        }
        return timeout ?? .failure(.cancelled(address.redacted))
      }
      return try result.get()
    }

    func run(
      _ plan: FetchPlan, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> Fetched<[UInt8]> {
      var plan = plan
      while true {
        progress.note(plan.address)
        let answer = try await answer(
          to: Sending(
            address: plan.address, fields: plan.requestFields,
            carriesCredentials: plan.sendsCredentials), progress)
        if let fetched = try plan.result(of: answer) { return fetched }
      }
    }
  }

  extension FetchProgress {
    /// The failure of a request that has waited too long for its credentials.
    fileprivate var lateCredentials: HTTPFetchError {
      .credentials(address.redacted, description: "they took too long")
    }
  }

  extension HTTPSource {
    /// A request, as a closure in place of a network gets it (``HTTPSource/init(_:answering:)``).
    public struct Request: Sendable, Hashable {
      /// The method, such as `GET`.
      public let method: String
      /// The whole address in its normal form.
      public let url: String
      /// The header fields, except those that only a connection needs: `Host` and `Content-Length`.
      public let headers: HeaderFields
      /// The content; empty for none.
      public let body: [UInt8]
    }
  }

  extension HTTPSource {
    /// The response to a request: from a closure in place of a network (``HTTPSource/init(_:answering:)``),
    /// or of ``HTTPSource/send(_:to:headers:body:contentType:idempotencyKey:accepting:)``.
    public struct Response: Sendable, Hashable {
      /// The status, 200 to 599.
      public var status: Int
      /// The header fields. Those of a content coding do not belong here, as the body is not decoded.
      public var headers: HeaderFields
      /// The content.
      public var body: [UInt8]

      /// Creates a response.
      public init(
        _ status: Int = 200, headers: HeaderFields = HeaderFields(), body: [UInt8] = []
      ) {
        self.status = status
        self.headers = headers
        self.body = body
      }

      /// Creates a response with a text, in UTF-8.
      public init(_ status: Int = 200, headers: HeaderFields = HeaderFields(), text: String) {
        self.init(status, headers: headers, body: Array(text.utf8))
      }
    }
  }

  extension Policy {
    /// This policy for a collection that is fetched with a source. A copy is served only if it also answers
    /// the source's requests: a value that one user's credentials have fetched answers no other user's
    /// requests (``HTTPSource/selects(variant:)``).
    ///
    /// ```swift
    /// let pages = try store.bytes("pages", policy: .cacheFirst.from(web))
    /// ```
    public func from(_ source: HTTPSource) -> Policy { from(source.configuration) }
  }
#endif
