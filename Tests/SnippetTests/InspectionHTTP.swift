#if HTTP
  import Foundation
  import FreshHTTP
  import FreshStore

  // How the app of the article asks its server, and for whom.

  // begin: inspection: http
  struct HTTPRemote<Form: Codec>: Remote where Form.Value: Codable {
    typealias Value = Form.Value
    let web: HTTPSource
    let address: String
    let codec: Form

    func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value> {
      try await web.fetch("\(address)/\(previous.key)", previous: previous).map(codec.decode)
    }

    func push(_ write: PendingWrite<Value>) async throws -> Pushed<Value> {
      try await web.push(write.map(codec.encode), to: "\(address)/\(write.key)").map(codec.decode)
    }
  }
  // end

  // begin: inspection: page
  struct FeedPage<Value: Codable & Sendable>: Codable {
    var values: [String: Value]
    var tags: [String: String]  // their versions, each as the ETag of a fetch states it
    var removed: [String]
    var next: String?  // the address of the next page
    var cursor: String  // the address of all later changes
  }
  // end

  // begin: inspection: feed
  extension HTTPRemote {
    func list(_ previous: PreviousList) async throws -> SourceListChange<Value> {
      let address = previous.page ?? previous.cursor ?? address
      guard case .value(let bytes, _) = try await web.fetch(address) else { return .expiredCursor }
      let page = try JSONCodec<FeedPage<Value>>().decode(bytes)
      var members: [String: ListMember<Value>] = [:]
      for (key, value) in page.values {
        let version = Validators(entityTag: page.tags[key])
        members[key] = .value(value, FetchDetails(validators: version))
      }
      switch (previous.cursor, page.next) {
      case (nil, nil): return .full(members, cursor: page.cursor)
      case (nil, let next?): return .fullPage(members, next: next, cursor: page.cursor)
      case (_, nil): return .delta(members, removals: page.removed, cursor: page.cursor)
      case (_, let next?):
        return .deltaPage(members, removals: page.removed, next: next, cursor: page.cursor)
      }
    }
  }
  // end

  func credentials(of user: String, _ tokens: Tokens) -> Credentials {
    Credentials(account: user) { _ in
      guard let token = await tokens.current else { throw SignedOut() }
      return ["Authorization": "Bearer \(token)"]
    } renew: {
      try await tokens.renew()
    }
  }

  // begin: inspection: user
  extension Inspections {
    init(
      user: String, over web: HTTPSource, in folder: URL,
      configuration: Configuration = Configuration()
    ) throws {
      let home = folder.appending(path: user)
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      let file = home.appending(path: "store.db").path
      let api = "https://example.org"
      try self.init(
        Store(path: file, configuration: configuration), origin: HTTPSource.origin(of: api))
      connect(
        HTTPRemote(web: web, address: "\(api)/sites", codec: JSONCodec<Site>()),
        HTTPRemote(web: web, address: "\(api)/reports", codec: JSONCodec<Report>()),
        HTTPRemote(web: web, address: "\(api)/photos", codec: BytesCodec()))
    }
  }
  // end

  /// A keychain whose token is too old at first.
  actor Tokens {
    private(set) var current: String? = "old"

    func renew() async throws { current = "new" }
  }
#endif
