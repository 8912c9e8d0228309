#if HTTP
  public import FreshHTTP
  public import FreshStore

  /// A ``ScriptedServer`` at a base address, for an `HTTPSource` without a network: it answers what an
  /// `HTTPRecordSource` with that base asks.
  ///
  /// ```swift
  /// let routes = [
  ///   sites.route(at: "https://example.org/sites"), photos.route(at: "…/photos", codec: BytesCodec()),
  /// ]
  /// let web = try HTTPSource(answering: routes.response(to:))
  /// ```
  ///
  /// `GET` of `base/key` is a fetch, `PUT` and `DELETE` are pushes, with their conditions and their
  /// idempotency keys, and `GET` of the base is the list `all`, or the one that the query's `list` names. A
  /// conflict is 412, what is gone 404, an unknown cursor or page 410, and a refusal has its own status, or
  /// 422. A failure of the server breaks the connection. Patches are not answered (405), nor is `POST` without
  /// ``answeringPosts(_:)``.
  public struct ScriptedRoute: Sendable {
    /// What a request at the base asks for.
    enum Target {
      case record(String)
      case list(PreviousList)
    }

    /// The base address.
    public let base: String
    let answer: @Sendable (HTTPSource.Request, Target) async throws -> HTTPSource.Response

    /// Answers a request; `nil` for one that is not for this base.
    public func response(to request: HTTPSource.Request) async throws -> HTTPSource.Response? {
      guard let target = target(of: request.url) else { return nil }
      return try await answer(request, target)
    }

    /// This route, with `POST` of its base answered by a closure, such as one that takes many writes in one
    /// request: it reads them, and gives each to ``ScriptedServer/push(_:)``.
    public func answeringPosts(
      _ answer: @escaping @Sendable (HTTPSource.Request) async throws -> HTTPSource.Response
    ) -> ScriptedRoute {
      let others = self.answer
      return ScriptedRoute(base: base) { request, target in
        guard request.method == "POST", case .list = target else {
          return try await others(request, target)
        }
        return try await answer(request)
      }
    }

    private func target(of url: String) -> Target? {
      let parts = url.split(separator: "?", maxSplits: 1)
      guard let path = parts.first, path.hasPrefix(base) else { return nil }
      let rest = path.dropFirst(base.count)
      guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
      let key = rest.dropFirst()
      guard key.isEmpty else { return .record(PercentEncoding.decoded(key)) }
      var query: [Substring: String] = [:]
      for field in parts.dropFirst().first?.split(separator: "&") ?? [] {
        let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        query[pair[0]] = pair.count > 1 ? PercentEncoding.decoded(pair[1]) : ""
      }
      return .list(
        PreviousList(name: query["list"] ?? "all", cursor: query["since"], page: query["page"]))
    }
  }

  extension [ScriptedRoute] {
    /// Answers a request by the first route that it is for, and with 404 without one: the closure of an
    /// `HTTPSource`, or a part of it.
    public func response(to request: HTTPSource.Request) async throws -> HTTPSource.Response {
      for route in self {
        if let response = try await route.response(to: request) { return response }
      }
      return HTTPSource.Response(404, text: "no route leads to \(request.url)")
    }
  }

  extension ScriptedServer {
    /// This server at a base address; values are in the format of the codec. Its lists name their members,
    /// without values.
    ///
    /// - Parameter base: As a request has it: the host in lower case, no port that is the scheme's own, no
    ///   slash at the end.
    public func route(at base: String, codec: some Codec<Value>) -> ScriptedRoute {
      route(at: base, codec) { page in
        try JSONCodec<HTTPListPage<String>>().encode(
          HTTPListPage(
            named: page.named, changed: page.changed + page.values.keys, removed: page.removed,
            next: page.next, cursor: page.cursor, isWhole: page.isWhole))
      }
    }

    private func route(
      at base: String, _ codec: any Codec<Value>,
      writing: @escaping @Sendable (HTTPListPage<Value>) throws -> [UInt8]
    ) -> ScriptedRoute {
      ScriptedRoute(base: base) { [self] request, target in
        switch target {
        case .record(let key): try await response(to: request, key, codec)
        case .list(let previous): try await response(to: request, previous, writing)
        }
      }
    }
  }

  extension ScriptedServer where Value: Codable {
    /// This server at a base address, in JSON, its lists with values.
    ///
    /// - Parameter base: As a request has it: the host in lower case, no port that is the scheme's own, no
    ///   slash at the end.
    public func route(at base: String) -> ScriptedRoute {
      route(at: base, JSONCodec<Value>()) { try JSONCodec<HTTPListPage<Value>>().encode($0) }
    }
  }
#endif
