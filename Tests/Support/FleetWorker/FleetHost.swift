#if Fleet
  import FreshFleet
  import FreshStore
  import Strategies
  import Synchronization

  /// A store of a fleet, and the source that its fetches ask.
  struct FleetHost: Sendable {
    let name: String
    let shelf: FleetShelf
    private let path: String
    private let configuration: Configuration

    /// `nil` for options that cannot be understood.
    init?(_ path: String, _ options: [String: String]) {
      func number(_ name: String, or standard: Int) -> Int {
        options[name].flatMap { Int($0) } ?? standard
      }
      guard let address = options["address"], let file = options["shelf"] else { return nil }
      var fleet = FleetConfiguration()
      // The tests' machine may be busy.
      fleet.limit = .milliseconds(number("limit", or: 20_000))
      fleet.markLimit = fleet.limit
      fleet.connectLimit = min(fleet.limit, .seconds(2))
      fleet.firstProbePause = .milliseconds(20)
      fleet.longestProbePause = .milliseconds(200)
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.clock = OffsetClock(offset: .seconds(number("skew", or: 0)))
      configuration.leaseDuration = .milliseconds(number("lease", or: 30_000))
      configuration.fleet.host = options["host"]
      do {
        configuration.sharedTier = try FleetClient(address, configuration: fleet)
        shelf = try FleetShelf(file)
      } catch {
        FleetWorker.say("failed: \(error)")
        return nil
      }
      (self.path, self.configuration) = (path, configuration)
      name = options["host"] ?? "host"
    }

    func open() throws -> Store { try Store(path: path, configuration: configuration) }

    /// The result of a get.
    struct Got: Sendable, CustomStringConvertible {
      let value: String
      let isFetched: Bool
      let isAlone: Bool
      let age: Duration?

      /// The value, whether this host has fetched it, whether it was alone, and the age in seconds.
      var description: String {
        let seconds = age.map { "\($0.components.seconds)" } ?? "-"
        return "\(value) \(isFetched ? "fetched" : "found") \(isAlone ? "alone" : "together") "
          + seconds
      }
    }

    /// Gets a key; a fetch is noted on the shelf.
    func get(
      _ key: String, in values: RecordCollection<String>, expiry: Expiry = .never,
      _ source: @escaping @Sendable () async throws -> String
    ) async throws -> Got {
      let isFetched = Flag()
      let answer = try await values.get(key) { [shelf, name] _ in
        isFetched.raise()
        try shelf.note(fetchOf: key, by: name)
        return .value(try await source(), FetchDetails(expiry: expiry))
      }
      return Got(
        value: answer.value, isFetched: isFetched.isRaised,
        isAlone: answer.sharedTierFailure != nil, age: answer.age)
    }

    private final class Flag: Sendable {
      private let value = Atomic<Bool>(false)
      func raise() { value.store(true, ordering: .relaxed) }
      var isRaised: Bool { value.load(ordering: .relaxed) }
    }
  }
#endif
