#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// The sources that fetch records and send writes.
  ///
  /// Each origin with headers of its own has its own source, and one source serves all other origins. No source sends
  /// the headers of another, even after a redirect. All of them share one event loop.
  struct OriginSources: Sendable {
    /// The request settings that all sources share.
    let template: HTTPConfiguration
    private let headers: OriginHeaders
    private let common: HTTPSource

    init(_ template: HTTPConfiguration, headers: OriginHeaders) throws(CommandFailure) {
      self.template = template
      self.headers = headers
      common = try CommandFailure.usage { () throws(HTTPFetchError) in try HTTPSource(template) }
    }

    /// Fetches an address; a refetch asks the same address.
    func fetch(
      _ address: String, previous: Previous<[UInt8]>
    ) async throws -> Fetched<[UInt8]> {
      try await source(of: address).fetch(address, previous: previous).mapDetails { details in
        // When the source states no lifetime, the lifetime of the first fetch stays. A lifetime of zero does not: the
        // record would be fetched again and again.
        if details.expiry == nil, let expiry = previous.expiry, expiry != .immediately,
          expiry != .unstated
        {
          details.expiry = expiry
        }
      }
    }

    /// Sends a write to an address; a refetch asks the same address.
    func push(
      _ write: PendingWrite<[UInt8]>, to address: String
    ) async throws -> Pushed<[UInt8]> {
      try await source(of: address).push(write, to: address).mapDetails {
        ($0.source, $0.address) = (address, nil)
      }
    }

    /// True when a copy from the address, stored with that variant, answers requests there.
    func selects(variant: String?, at address: String) -> Bool {
      source(of: address).selects(variant: variant)
    }

    private func source(of address: String) -> HTTPSource {
      // Any source refuses a text that is no address. The headers were checked when they were read.
      guard !headers.isEmpty, let url = try? URLText(address),
        let own = try? common.sending(headers.fields(to: url))
      else { return common }
      return own
    }

    /// Runs a body, and ends the requests in flight when it has returned or thrown.
    func closing<Result>(_ body: () async throws -> Result) async throws -> Result {
      do {
        let result = try await body()
        await close()
        return result
      } catch {
        await close()
        throw error
      }
    }

    private func close() async { await HTTPSource.end([common]) }
  }

  extension HTTPSource {
    /// The time that connections have to end.
    private static let patience = Duration.milliseconds(250)

    /// Ends the requests in flight in all of the sources, in parallel.
    ///
    /// A connection that is still being made ends at its own time limit. The program does not wait for that, because
    /// it is about to end and has something to report first. The connection ends with the program.
    static func end(_ sources: [HTTPSource]) async {
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      Task {
        await withDiscardingTaskGroup { group in
          for source in sources { group.addTask { await source.close() } }
        }
        end.finish()
      }
      Task {
        // Nothing cancels this task.
        try? await Task.sleep(for: patience)
        end.finish()
      }
      // A task of its own is not cancelled, so that connections can end in order.
      await Task { for await _ in ends {} }.value
    }
  }

  /// The proxies that the environment names.
  enum Proxies {
    static func ofEnvironment() throws(CommandFailure) -> ProxySettings {
      try CommandFailure.usage { () throws(HTTPFetchError) in
        try ProxySettings(variable: Process.variable)
      }
    }
  }
#endif
