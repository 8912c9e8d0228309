public import Strategies

/// The action of a get for a key, and its grounds.
public struct Explanation: Sendable {
  /// The action of a get.
  public enum Action: String, Sendable, Hashable, Codable {
    /// Serve the copy.
    case serve
    /// Serve the copy and refresh it in the background.
    case serveAndRefresh = "serve-and-refresh"
    /// Serve the copy, because the source failed, and is not asked for a while.
    case standIn = "stand-in"
    /// Ask the source, and wait for it.
    case fetch
    /// Fail at once.
    case fail

    init(_ plan: GetPlan) {
      self =
        switch plan {
        case .serve(_, refreshes: false): .serve
        case .serve(_, refreshes: true): .serveAndRefresh
        case .standIn: .standIn
        case .fail: .fail
        case .fetch: .fetch
        }
    }
  }

  /// The gate's decision, with every strategy that it asked.
  public let decision: Decision
  /// The action of a get.
  public let action: Action
  /// The reason why a get would not ask the source, although a fetch is wanted; `nil` when it
  /// would, and when no fetch is wanted.
  public let refusal: FetchFailure?
  /// The owner that is fetching the key now; `nil` without one.
  public let fetchedBy: String?
  /// The origin whose breaker guards a fetch; `nil` when there is no breaker, as the policy names no origin: after
  /// failures each record pauses by itself.
  public let origin: Origin?
  /// The end of its origin's pause; `nil` without one.
  public let originIsDownUntil: Timestamp?
  /// The reason why a get would ask the source without the fleet; `nil` when it would not, and for a host alone.
  public let sharedTierFailure: SharedTierError?
  /// The record's tags, sorted.
  public let tags: [String]
  /// True when the record is never pruned.
  public let isPinned: Bool
  /// The size of the value in bytes.
  public let size: Int
  /// The source's URL or label.
  public let source: String?
  /// The media type.
  public let contentType: String?
  /// The validators for a conditional request.
  public let validators: Validators
}
