#if HTTP
  public import FreshStore
  /// The records of a collection at one base address, as JSON by default. Each record is at `base/key`
  /// (`GET`, `PUT` and `DELETE`). The list and its changes are at the base itself.
  ///
  /// ```swift
  /// let web = try HTTPSource(HTTPConfiguration(credentials: credentials))
  /// let notes = try HTTPRecordSource(web, at: "https://example.org/notes", of: Note.self)
  /// synchronizer.add(collection, from: notes, following: "all")
  /// ```
  ///
  /// Fetches are made by ``HTTPSource/fetch(_:previous:)`` and pushes by ``HTTPSource/push(_:to:)``:
  /// conditional by the validators of the base, each with its idempotency key.
  ///
  /// A write that states an address (`WriteOptions.address`) is sent there; its record is still fetched from
  /// `base/key`. A write with an invalid address, or with one on another origin, is refused: that origin
  /// would get this source's credentials.
  ///
  /// The list is requested at its address. Its pages and changes are requested at the addresses that earlier
  /// pages have named (``HTTPListPage``). A server that names no cursor is asked for the whole list every
  /// time. 404 and 410 mean that the server no longer knows a page or a cursor. An address on another origin
  /// is refused: that origin would get this source's credentials.
  public struct HTTPRecordSource<Value: Sendable>: RecordSource {
    /// The origin of the base address, for the policy of the collection.
    public let origin: Origin

    /// The origin whose breaker guards the requests, unless a policy names another one. Behind a socket it is
    /// the socket.
    public var breakerOrigin: Origin? { web.configuration.failing(with: origin) }

    private let web: HTTPSource
    private let codec: any Codec<Value>
    private let addressOfRecord: @Sendable (String) -> String
    private let addressOfList: @Sendable (String) -> String
    private let readingPage: (@Sendable ([UInt8]) throws -> HTTPListPage<Value>)?

    /// Creates the source of records in any format.
    ///
    /// - Parameters:
    ///   - web: Sends the requests; its configuration has the credentials.
    ///   - base: The address of the records' folder, without a query.
    ///   - codec: Reads and writes the bodies.
    ///   - addressOfRecord: The address of a key; by default `base/key`, with the key percent-encoded as one
    ///     segment of the path. A path with a segment that is empty, `.` or `..`, in any spelling, is
    ///     refused: servers read it as the path of another record.
    ///   - addressOfList: The whole address of a list, by its name; by default the base, for any name.
    ///   - readingPage: Reads a page of a list; `nil` for a source without lists.
    /// - Throws: `badURL` and `unsupportedScheme`.
    public init(
      _ web: HTTPSource, at base: String, codec: some Codec<Value>,
      addressOfRecord: (@Sendable (_ key: String) -> String)? = nil,
      addressOfList: (@Sendable (_ list: String) -> String)? = nil,
      readingPage: (@Sendable (_ body: [UInt8]) throws -> HTTPListPage<Value>)? = nil
    ) throws(HTTPFetchError) {
      let address = try HTTPAddress(fetched: base)
      guard address.query == nil else {
        throw .badURL(
          address.redacted, reason: "a base has no query; name the addresses by closures")
      }
      let list = address.text
      let folder = list.hasSuffix("/") ? list : "\(list)/"
      origin = Origin(address.origin)
      self.web = web
      self.codec = codec
      self.addressOfRecord =
        addressOfRecord ?? { key in folder + PercentEncoding.segment(key) }
      self.addressOfList = addressOfList ?? { _ in list }
      self.readingPage = readingPage
    }

    /// Accepts the variants that the source of the requests selects: the copies of its own account
    /// (``HTTPSource/selects(variant:)``).
    public var acceptsVariant: (@Sendable (String?) -> Bool)? {
      let configuration = web.configuration
      return { configuration.selects(variant: $0) }
    }

    /// Fetches one record.
    public func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value> {
      try await web.fetch(checkedAddress(of: previous.key), previous: previous)
        .map { try codec.decode($0) }
    }

    /// Sends one local write to the address that it states, or else to that of its key.
    public func push(_ write: PendingWrite<Value>) async throws -> Pushed<Value> {
      if let stated = write.address, let refusal = refusal(of: stated) { return .refused(refusal) }
      let own: String
      do throws(HTTPFetchError) {
        own = try checkedAddress(of: write.key)
      } catch {
        return .refused(Refusal("\(error)"))
      }
      let bytes = try write.map { try codec.encode($0) }
      let pushed = try await web.push(bytes, to: write.address ?? own)
        .map { try codec.decode($0) }
      // Fetches and later writes use the record's own address, whichever address this write was sent to.
      // Writes in the outbox may have the address with which the record was stored. They must differ from
      // writes that state an address.
      let known = write.address == nil ? write.recordAddress : own
      guard let known, known != write.address ?? own else { return pushed }
      return pushed.mapDetails {
        // A record may be known by a label that is no address.
        let label = (try? HTTPAddress(known).redacted) ?? known
        ($0.source, $0.address) = (label, label == known ? nil : known)
      }
    }

    /// The address of a key, as requests are sent there. Throws `badURL` for one that servers read as the
    /// address of another record.
    private func checkedAddress(of key: String) throws(HTTPFetchError) -> String {
      let address = try HTTPAddress(fetched: addressOfRecord(key))
      if let refusal = address.refusalAsRecord {
        throw .badURL(address.redacted, reason: refusal)
      }
      return address.text
    }

    /// The reason why a write must not be sent to its stated address; `nil` when it may be.
    private func refusal(of stated: String) -> Refusal? {
      do throws(HTTPFetchError) {
        let address = try HTTPAddress(fetched: stated)
        if let refusal = address.refusalAsRecord { return Refusal(refusal) }
        guard address.origin != origin.name else { return nil }
        return Refusal(
          "the write states \(address.redacted), which would get the credentials of another origin, "
            + "\(origin.name); state an address there")
      } catch {
        return Refusal("\(error)")
      }
    }

    /// Fetches a list, its changes, or a page of either.
    public func list(_ previous: PreviousList) async throws -> SourceListChange<Value> {
      guard let readingPage else { throw NoList(name: previous.name) }
      let named = previous.page ?? previous.cursor
      let address = try HTTPAddress(fetched: named ?? addressOfList(previous.name))
      // Another server named it, before an update of the program.
      if named != nil, address.origin != origin.name { return .expiredCursor }
      guard case .value(let body, let details) = try await web.fetch(address.text) else {
        return .expiredCursor
      }
      let page = try readingPage(body)
      let isWhole = page.isWhole ?? (previous.cursor == nil)
      let members = members(of: page, details)
      let next = try target(of: page.next, on: address)
      let cursor = try target(of: page.cursor, on: address)
      switch (isWhole, next) {
      case (true, nil): return .full(members, cursor: cursor)
      case (true, let next?): return .fullPage(members, next: next, cursor: cursor)
      case (false, nil):
        return .delta(members, removals: page.removed, cursor: cursor ?? previous.cursor)
      case (false, let next?):
        return .deltaPage(members, removals: page.removed, next: next, cursor: cursor)
      }
    }

    /// The members: as old as the answer, for the same requests, and stored only if the answer may be.
    private func members(
      of page: HTTPListPage<Value>, _ details: FetchDetails
    ) -> [String: ListMember<Value>] {
      var members: [String: ListMember<Value>] = [:]
      for key in page.named { members[key] = .named }
      for key in page.changed { members[key] = .changed }
      for (key, value) in page.values {
        members[key] = .value(
          value,
          FetchDetails(
            lastUpdate: details.lastUpdate, isStorable: details.isStorable,
            validators: Validators(entityTag: page.tags[key]), variant: details.variant))
      }
      return members
    }

    /// The address that a page names; `nil` if it names none.
    private func target(
      of reference: String?, on page: HTTPAddress
    ) throws(HTTPFetchError) -> String? {
      guard let reference else { return nil }
      let target: HTTPAddress
      do throws(HTTPAddress.Refusal) {
        target = try RelativeReference.resolve(reference, against: page)
      } catch {
        throw HTTPFetchError(error, of: reference)
      }
      guard target.origin == page.origin else {
        throw .badURL(
          target.redacted, reason: "a list names it, which is on another origin, \(page.origin)")
      }
      return target.text
    }
  }

  extension HTTPRecordSource where Value: Codable {
    /// Creates the source of records in JSON (`FreshStore.JSONCodec`), with lists in JSON (``HTTPListPage``).
    ///
    /// - Parameters:
    ///   - web: Sends the requests; its configuration has the credentials.
    ///   - base: The address of the records' folder, and of the list; without a query.
    /// - Throws: `badURL` and `unsupportedScheme`.
    public init(
      _ web: HTTPSource, at base: String, of type: Value.Type = Value.self
    ) throws(HTTPFetchError) {
      try self.init(
        web, at: base, codec: JSONCodec<Value>(),
        readingPage: { try JSONCodec<HTTPListPage<Value>>().decode($0) })
    }
  }

  extension Fetched {
    /// The same with changed details.
    package func mapDetails(_ change: (inout FetchDetails) -> Void) -> Fetched {
      switch self {
      case .value(let value, let details): .value(value, details.changed(by: change))
      case .notModified(let details): .notModified(details.changed(by: change))
      case .gone(let details): .gone(details.changed(by: change))
      }
    }
  }

  extension Pushed {
    /// The same with changed details.
    package func mapDetails(_ change: (inout FetchDetails) -> Void) -> Pushed {
      switch self {
      case .accepted(let details): .accepted(details.changed(by: change))
      case .acceptedAs(let value, let details): .acceptedAs(value, details.changed(by: change))
      case .refused(let refusal): .refused(refusal)
      case .conflict(let remote): .conflict(remote.mapDetails(change))
      }
    }
  }

  extension FetchDetails {
    fileprivate func changed(by change: (inout FetchDetails) -> Void) -> FetchDetails {
      var details = self
      change(&details)
      return details
    }
  }
#endif
