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
