#if HTTP
  public import FreshHTTP
  public import FreshStore
  internal import Strategies

  /// A ``ScriptedServer`` at a base address, for an `HTTPSource` without a network. It answers the requests of an
  /// `HTTPRecordSource` with that base.
  ///
  /// ```swift
  /// let routes = [
  ///   sites.route(at: "https://example.org/sites"), photos.route(at: "…/photos", codec: BytesCodec()),
  /// ]
  /// let web = try HTTPSource(answering: routes.response(to:))
  /// ```
  ///
  /// `GET` of `base/key` is a fetch. `PUT` and `DELETE` are pushes, with their conditions and their idempotency keys.
  /// `GET` of the base is the list `all`, or the list that the query's `list` names.
  ///
  /// A conflict is 412, a record that is gone 404, and an unknown cursor or page 410. A refusal has its own status,
  /// or 422. A failure of the server breaks the connection. Patches are not answered (405), nor is `POST` without
  /// ``answeringPosts(_:)``.
  public struct ScriptedRoute: Sendable {
    /// The target of a request at the base.
    enum Target {
      case record(String)
      case list(PreviousList)
    }

    /// The base address.
    public let base: String
    let answer: @Sendable (HTTPSource.Request, Target) async throws -> HTTPSource.Response

    /// Answers a request; `nil` for a request that is not for this base.
    public func response(to request: HTTPSource.Request) async throws -> HTTPSource.Response? {
      guard let target = target(of: request.url) else { return nil }
      return try await answer(request, target)
    }

    /// This route, with `POST` of its base answered by a closure.
    ///
    /// Such a closure may take many writes in one request: it reads them, and gives each to
    /// ``ScriptedServer/push(_:)``.
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
    /// Answers a request by the first route that it is for, and with 404 without a route. It is the closure of an
    /// `HTTPSource`, or a part of it.
    public func response(to request: HTTPSource.Request) async throws -> HTTPSource.Response {
      for route in self {
        if let response = try await route.response(to: request) { return response }
      }
      return HTTPSource.Response(404, text: "no route leads to \(request.url)")
    }
  }

  extension ScriptedServer {
    /// This server at a base address; values are in the format of the codec. Its lists name their members, without
    /// values.
    ///
    /// - Parameter base: The base as a request has it: the host in lower case, no port that is the scheme's own, no
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
    /// This server at a base address, in JSON; its lists have values.
    ///
    /// - Parameter base: The base as a request has it: the host in lower case, no port that is the scheme's own, no
    ///   slash at the end.
    public func route(at base: String) -> ScriptedRoute {
      route(at: base, JSONCodec<Value>()) { try JSONCodec<HTTPListPage<Value>>().encode($0) }
    }
  }

  /// The responses of a server over HTTP.
  extension ScriptedServer {
    // MARK: Records

    func response(
      to request: HTTPSource.Request, _ key: String, _ codec: any Codec<Value>
    ) async throws -> HTTPSource.Response {
      switch request.method {
      case "GET":
        let known = Validators(entityTag: request.headers["If-None-Match"])
        return try response(with: await fetch(Previous(key: key, validators: known)), codec)
      case "PUT", "DELETE":
        let write: PendingWrite<Value>
        do {
          write = try Self.write(request, key, codec)
        } catch {
          return HTTPSource.Response(422, text: "\(error)")
        }
        return try response(with: await push(write), to: request, codec)
      default:
        return HTTPSource.Response(405, headers: ["Allow": "GET, PUT, DELETE"])
      }
    }

    private func response(
      with fetched: Fetched<Value>, _ codec: any Codec<Value>
    ) throws -> HTTPSource.Response {
      switch fetched {
      case .value(let value, let details):
        HTTPSource.Response(
          headers: Self.headers(details, codec), body: try codec.encode(value))
      case .notModified(let details):
        HTTPSource.Response(304, headers: Self.headers(details, nil))
      case .gone: HTTPSource.Response(404)
      }
    }

    private static func write(
      _ request: HTTPSource.Request, _ key: String, _ codec: any Codec<Value>
    ) throws -> PendingWrite<Value> {
      let isDeletion = request.method == "DELETE"
      let isCreation = request.headers["If-None-Match"] == "*"
      let word = request.headers["Idempotency-Key"]?.filter { $0 != "\"" }
      return PendingWrite(
        key: key, kind: isDeletion ? .delete : isCreation ? .create : .replace,
        value: isDeletion ? nil : try codec.decode(request.body),
        // A request without a key is never taken for a repeated one.
        idempotencyKey: word ?? "\(UInt64.random(in: .min ... .max))",
        baseValidators: Validators(
          entityTag: request.headers["If-Match"],
          lastModified: request.headers["If-Unmodified-Since"]),
        contentType: request.headers["Content-Type"])
    }

    private func response(
      with pushed: Pushed<Value>, to request: HTTPSource.Request, _ codec: any Codec<Value>
    ) throws -> HTTPSource.Response {
      switch pushed {
      case .accepted(let details):
        return HTTPSource.Response(204, headers: Self.headers(details, nil))
      case .acceptedAs(let value, let details):
        // With it, the content is the new value (RFC 9110 section 8.7).
        var headers = Self.headers(details, codec)
        headers.set("Content-Location", request.url)
        return HTTPSource.Response(headers: headers, body: try codec.encode(value))
      case .conflict: return HTTPSource.Response(412)
      case .refused(let refusal):
        var headers = HeaderFields()
        for (name, value) in refusal.headers { headers.set(name, value) }
        return HTTPSource.Response(
          refusal.status ?? 422, headers: headers,
          body: refusal.body.isEmpty ? Array(refusal.reason.utf8) : refusal.body)
      }
    }

    private static func headers(
      _ details: FetchDetails, _ codec: (any Codec<Value>)?
    ) -> HeaderFields {
      var headers = HeaderFields()
      headers.set("ETag", details.validators.entityTag)
      headers.set("Last-Modified", details.validators.lastModified)
      if let codec { headers.set("Content-Type", details.contentType ?? codec.mediaType) }
      switch details.expiry {
      case _ where !details.isStorable: headers.set("Cache-Control", "no-store")
      case .immediately: headers.set("Cache-Control", "max-age=0")
      case .after(let duration):
        headers.set("Cache-Control", "max-age=\(duration.components.seconds)")
      case .never, .unstated, nil: break
      }
      return headers
    }

    // MARK: Lists

    func response(
      to request: HTTPSource.Request, _ previous: PreviousList,
      _ writing: (HTTPListPage<Value>) throws -> [UInt8]
    ) async throws -> HTTPSource.Response {
      guard request.method == "GET" else {
        return HTTPSource.Response(405, headers: ["Allow": "GET"])
      }
      let name = "?list=\(PercentEncoding.segment(previous.name))"
      func since(_ cursor: String?) -> String {
        cursor.map { "\(name)&since=\(PercentEncoding.segment($0))" } ?? name
      }
      func page(_ token: String) -> String {
        "\(since(previous.cursor))&page=\(PercentEncoding.segment(token))"
      }
      var told: HTTPListPage<Value>
      switch try await list(previous) {
      case .full(let members, let cursor):
        told = Self.page(members, isWhole: true)
        told.cursor = cursor.map { since($0) }
      case .fullPage(let members, let next, let cursor):
        told = Self.page(members, isWhole: true)
        told.cursor = cursor.map { since($0) }
        told.next = "\(name)&page=\(PercentEncoding.segment(next))"
      case .delta(let members, let removals, let cursor):
        told = Self.page(members, isWhole: false)
        (told.removed, told.cursor) = (removals, cursor.map { since($0) })
      case .deltaPage(let members, let removals, let next, let cursor):
        told = Self.page(members, isWhole: false)
        told.cursor = cursor.map { since($0) }
        (told.removed, told.next) = (removals, page(next))
      case .notModified: told = HTTPListPage(isWhole: false)
      case .expiredCursor: return HTTPSource.Response(410)
      }
      return HTTPSource.Response(
        headers: ["Content-Type": "application/json"], body: try writing(told))
    }

    private static func page(
      _ members: [String: ListMember<Value>], isWhole: Bool
    ) -> HTTPListPage<Value> {
      var page = HTTPListPage<Value>(isWhole: isWhole)
      for (key, member) in members {
        switch member {
        case .value(let value, let details):
          (page.values[key], page.tags[key]) = (value, details.validators.entityTag)
        case .named, .unchanged: page.named.append(key)
        case .changed: page.changed.append(key)
        }
      }
      return page
    }
  }
#endif
