#if HTTP
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// A server's answers as HTTP has them.
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
        // A request without a key is like no other.
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
        // RFC 9110 section 8.7: so the content is the new value.
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
