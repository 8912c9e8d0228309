/// The assumed lifetime of a response without explicit freshness (RFC 9111 section 4.2.2): a
/// fraction of the time since it was last modified.
///
/// It applies to URLs with a query as to all others, as that section says.
public struct HeuristicFreshness: Sendable, Hashable {
  /// The share of the interval between `Last-Modified` and `Date`.
  public let fraction: Double
  /// The longest lifetime ever guessed.
  public let limit: Duration

  /// A tenth, the setting the RFC calls typical, and never more than 24 hours: a document last
  /// touched ten years ago would otherwise hold for one.
  public static let standard = HeuristicFreshness(fraction: 0.1, limit: .seconds(86400))
  /// No guess: a response without explicit freshness leaves its expiry unstated.
  public static let off = HeuristicFreshness(fraction: 0, limit: .zero)

  /// Creates a heuristic; a fraction outside 0 to 1 is clamped.
  public init(fraction: Double, limit: Duration) {
    self.fraction = fraction.isNaN ? 0 : min(1, max(0, fraction))
    self.limit = limit
  }

  /// The lifetime of a response made so long after its last modification; `nil` for no guess.
  package func lifetime(unmodifiedFor interval: Duration) -> Duration? {
    let lifetime = min(limit, interval * fraction)
    return lifetime > .zero ? lifetime : nil
  }
}
