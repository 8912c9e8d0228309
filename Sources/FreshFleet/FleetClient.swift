#if Fleet
  public import FreshStore

  /// The shared tier of a fleet in a database that speaks PostgreSQL's wire.
  ///
  /// Calls go through libpq, which is loaded with the first client. Each is one round trip, or several in a
  /// row for many keys or large values, and blocks no thread of Swift's pool. A round trip fails after
  /// ``FleetConfiguration/limit``; after failures in a row later ones fail at once, until a probe in the
  /// background finds the tier in reach.
  ///
  /// The address is a URI or words as libpq has them, with its TLS settings, password files and service files.
  /// Several hosts are tried in their order, and the first that lets us write is taken; also later, once the
  /// one in use can only be read.
  public final class FleetClient: SharedTier {
    let pool: ConnectionPool

    /// Reads the address; connects with the first call.
    ///
    /// - Throws: `invalidAddress` for one that is not understood, or in which a part of a password could be
    ///   taken for a host, a port or a database; `invalidArgument` for a number of the configuration outside its
    ///   range; `noLibrary`.
    public init(
      _ address: String, configuration: FleetConfiguration = FleetConfiguration()
    ) throws(SharedTierError) {
      pool = try ConnectionPool(PostgresAddress(address), configuration)
    }

    deinit { pool.close() }

    /// Ends the connections; later calls fail.
    public func close() { pool.close() }

    /// The address without secrets.
    public var addressDescription: String { pool.address.description }

    /// The same: the hosts' names, the port and the database, as they are written.
    public var address: String? { addressDescription }

    /// Whether the tier can be reached, as far as is known.
    public var reach: SharedTierReach { pool.reach }

    /// How often the tier went out of reach since this client was made, whoever noticed it: a call, or what looks
    /// after the way in the background.
    public var outages: Int { pool.outages }

    /// A value whenever there may be news: at once, on a mark where the tier tells of it, and every second while
    /// it is not out of reach. None where ``FleetConfiguration/announces`` is false.
    public func announcements() -> AsyncStream<Void> {
      guard pool.configuration.announces else { return AsyncStream { $0.finish() } }
      return pool.announcements()
    }
  }
#endif
