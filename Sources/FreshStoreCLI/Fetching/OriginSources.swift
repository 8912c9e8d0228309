#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// The sources that fetch records and send writes: one for each origin with headers of its own,
  /// and one for all others. The headers of one are never sent by another, redirects included; they
  /// share one event loop.
  struct OriginSources: Sendable {
    /// The request settings that all of them have.
    let template: HTTPConfiguration
    private let headers: OriginHeaders
    private let common: HTTPSource

    init(_ template: HTTPConfiguration, headers: OriginHeaders) throws(CommandFailure) {
      self.template = template
      self.headers = headers
      do throws(HTTPFetchError) {
        common = try HTTPSource(template)
      } catch {
        throw CommandFailure(.usage, "\(error)")
      }
    }

    /// Fetches an address, which a refetch asks again.
    func fetch(
      _ address: String, previous: Previous<[UInt8]>
    ) async throws -> Fetched<[UInt8]> {
      try await source(of: address).fetch(address, previous: previous).mapDetails { details in
        // Whoever fetched it first said how long it holds where its source does not. What holds for no
        // time at all would be fetched again and again.
        if details.expiry == nil, let expiry = previous.expiry, expiry != .immediately,
          expiry != .unstated
        {
          details.expiry = expiry
        }
      }
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
    /// How long connections may take to end.
    private static let patience = Duration.milliseconds(250)

    /// Ends the requests under way in all of the sources, in parallel.
    ///
    /// A connection that is still being made ends with its own time limit. The program is about to
    /// end, and has something to report first: it does not wait for that, and the connection ends
    /// with it.
    static func end(_ sources: [HTTPSource]) async {
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      Task {
        await withDiscardingTaskGroup { group in
          for source in sources { group.addTask { await source.close() } }
        }
        end.finish()
      }
      Task {
        // It is never cancelled.
        try? await Task.sleep(for: patience)
        end.finish()
      }
      // In a task of its own, which is not cancelled: connections that can end in order do.
      await Task { for await _ in ends {} }.value
    }
  }

  /// The proxies that the environment names.
  enum Proxies {
    static func ofEnvironment() throws(CommandFailure) -> ProxySettings {
      do throws(HTTPFetchError) {
        return try ProxySettings(variable: Process.variable)
      } catch {
        throw CommandFailure(.usage, "\(error)")
      }
    }
  }
#endif
