/// The part of a store's host in its fleet (``Configuration/sharedTier``).
public struct FleetOptions: Sendable {
  /// What a mark does while the shared tier is out of reach.
  public enum OutOfReach: Sendable, Hashable {
    /// It is refused with ``StoreError/Code/sharedTier(_:)``, and marks nothing.
    case refuseMarks
    /// It marks here, is kept in the file, and is delivered once the tier is in reach; until then the other
    /// hosts do not know of it, and this one asks the source for what it covers, whatever the fleet has.
    case keepMarks
  }

  /// The host's name, for others to read; `nil` for that of the machine.
  public var host: String?
  /// What a mark does while the shared tier is out of reach.
  public var outOfReach = OutOfReach.refuseMarks
  /// How long the host may serve as fresh what it has fetched, without a word from the fleet: after this time
  /// without an answer everything fetched before is stale, and again after each further one. At least a millisecond;
  /// `nil`, the default, for no limit.
  ///
  /// An open store asks at least twice in that time. The time since the last answer is kept in the file, to a minute or
  /// a quarter of the limit, so that it counts while no store is open, too: a store that is opened after a longer one
  /// takes what it finds for stale until the fleet has answered.
  public var longestAlone: Duration?

  /// Creates the default options.
  public init() {}
}
