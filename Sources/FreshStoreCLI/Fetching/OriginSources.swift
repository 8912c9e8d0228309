#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// The sources that fetch records and send writes: one for each origin with headers of its own,
  /// and one for all others. The headers of one are never sent by another, redirects included; they
  /// share one event loop.
  struct OriginSources: Sendable {
    let proxies: ProxySettings
    private let common: HTTPSource
    private let own: [Origin: HTTPSource]

    init(headers: HeadersFile?, timeout: Duration) throws {
      let proxies = try Proxies.ofEnvironment()
      let configuration = HTTPConfiguration(timeout: timeout, proxies: proxies)
      self.proxies = proxies
      common = try HTTPSource(configuration)
      own = try (headers?.fields ?? [:]).mapValues(common.sending)
    }

    /// Fetches an address, which a refetch asks again.
    func fetch(
      _ address: String, previous: Previous<[UInt8]>
    ) async throws -> Fetched<[UInt8]> {
      try await source(of: address).fetch(address, previous: previous)
    }

    /// Sends a write to an address, which a refetch asks again.
    func push(
      _ write: PendingWrite<[UInt8]>, to address: String
    ) async throws -> Pushed<[UInt8]> {
      try await source(of: address).push(write, to: address).mapDetails {
        ($0.source, $0.address) = (address, nil)
      }
    }

    /// True when a copy from an address, stored with that variant, answers requests there.
    func selects(variant: String?, at address: String) -> Bool {
      source(of: address).selects(variant: variant)
    }

    /// Any source refuses a text that is no address.
    private func source(of address: String) -> HTTPSource {
      guard !own.isEmpty, let origin = try? HTTPSource.origin(of: address) else { return common }
      return own[origin] ?? common
    }

    /// Ends the requests under way.
    func close() async { await HTTPSource.end([common]) }
  }
#endif
