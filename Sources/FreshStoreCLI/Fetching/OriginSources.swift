#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// Whom records are fetched from and writes sent to: a source for each origin that is sent headers
  /// of its own, and one for all others. What one of them sends is no other's, redirects included; they
  /// share one event loop.
  struct OriginSources: Sendable {
    let proxies: ProxySettings
    private let common: HTTPSource
    private let own: [String: HTTPSource]

    init(headers: HeadersFile?, timeout: Duration) throws {
      let proxies = try Proxies.ofEnvironment()
      let configuration = HTTPConfiguration(timeout: timeout, proxies: proxies)
      self.proxies = proxies
      common = try HTTPSource(configuration)
      own = try (headers?.fields ?? [:]).mapValues(common.sending)
    }

    /// Fetches an address, which is the source of what it brings.
    func fetch(
      _ address: String, previous: Previous<[UInt8]>
    ) async throws -> Fetched<[UInt8]> {
      try await source(of: address).fetch(address, previous: previous)
        .mapDetails { $0.source = address }
    }

    /// Sends a write to an address, which is the source of what comes of it.
    func push(
      _ write: PendingWrite<[UInt8]>, to address: String
    ) async throws -> Pushed<[UInt8]> {
      try await source(of: address).push(write, to: address).mapDetails { $0.source = address }
    }

    /// True when a copy from an address, stored with that variant, answers what is asked there.
    func selects(variant: String?, at address: String) -> Bool {
      source(of: address).selects(variant: variant)
    }

    /// What is no address is refused by any.
    private func source(of address: String) -> HTTPSource {
      guard !own.isEmpty, let origin = try? HTTPSource.origin(of: address) else { return common }
      return own[origin] ?? common
    }

    /// Ends what is under way.
    func close() async { await HTTPSource.end([common]) }
  }
#endif
