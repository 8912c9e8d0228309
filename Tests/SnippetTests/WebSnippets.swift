#if HTTP
  import FreshHTTP
  import FreshStore
  import FreshSync

  /// Snippets that ask servers of the Internet: they are compiled, and not run.
  struct WebSnippets {
    private struct Note: Codable, Sendable {
      var text: String
    }

    private func pages(_ store: Store) async throws {
      // begin: http: get
      let web = try HTTPSource()
      let pages = try store.bytes("pages", policy: .cacheFirst.from(web))
      let page = try await pages.get("https://example.org/") { previous in
        try await web.fetch("https://example.org/", previous: previous)
      }
      print(page.value.count, "bytes,", page.freshness)
      // end
    }

    private actor Tokens {
      var current: String?
      func renew() async throws { throw SignedOut() }
    }

    private func signIn(_ store: Store, _ user: String, _ tokens: Tokens) async throws {
      // begin: offline: signing in
      let credentials = Credentials(account: user) { _ in
        guard let token = await tokens.current else { throw SignedOut() }
        return ["Authorization": "Bearer \(token)"]
      } renew: {
        try await tokens.renew()  // throws SignedOut() where only a password helps
      }
      let web = try HTTPSource(HTTPConfiguration(credentials: credentials))
      let origin = try HTTPSource.origin(of: "https://example.org/notes")
      let policy = Policy.offlineFirst.origin(origin).from(web)
      let notes = try store.collection("notes", of: Note.self, policy: policy)
      // end
      await web.close()
      _ = notes
      // begin: offline: signed in
      try await store.endPause(origin: origin)
      // end
    }

    private struct NoteServer {
      func read(_ missing: [Previous<Note>]) async throws -> [String: Fetched<Note>] { [:] }
    }

    private func sendTogether(
      _ synchronizer: Synchronizer, _ notes: RecordCollection<Note>, _ web: HTTPSource,
      _ server: NoteServer
    ) {
      // begin: http: batch
      // As this server has them.
      struct SentNote: Codable {
        var note: Note?  // none for a deletion
        var version: String?
        var id: String
      }

      struct NoteResult: Codable {
        var status: Int
        var version: String?
        var present: Note?
        var reason: String?
      }

      synchronizer.add(notes, batch: 50) { missing in
        try await server.read(missing)
      } pushAll: { writes in
        var batch: [String: SentNote] = [:]
        for write in writes {
          batch[write.key] = SentNote(
            note: write.value, version: write.baseValidators.entityTag, id: write.idempotencyKey)
        }
        let answer = try await web.send(
          "POST", to: "https://example.org/notes/batch", body: JSONCodec().encode(batch),
          contentType: "application/json")
        let results = try JSONCodec<[String: NoteResult]>().decode(answer.body)
        return results.compactMapValues { result -> Pushed<Note>? in
          let details = FetchDetails(
            validators: Validators(entityTag: result.version), variant: web.variant)
          let present = result.present.map { Fetched.value($0, details) }
          return switch result.status {
          case 200...299: .accepted(details)
          case 412: .conflict(present ?? .gone)
          case 400, 404, 422: .refused(Refusal(result.reason ?? "", status: result.status))
          default: nil  // it waits, and is sent again
          }
        }
      }
      // end
    }

    private func synchronize(_ store: Store, _ notes: RecordCollection<Note>) async throws {
      // begin: offline: http
      let web = try HTTPSource()
      let server = try HTTPRecordSource(web, at: "https://example.org/notes", of: Note.self)
      let synchronizer = Synchronizer(store)
      synchronizer.add(notes, from: server, following: "all", conflicts: .clientWins)
      synchronizer.start()  // until it is stopped
      // end
    }
  }
#endif
