public import Strategies

/// What a get would do with a key, and on what grounds.
public struct Explanation: Sendable {
  /// What a get would do.
  public enum Action: String, Sendable, Hashable, Codable {
    /// Serve the copy.
    case serve
    /// Serve the copy and refresh it behind.
    case serveAndRefresh = "serve-and-refresh"
    /// Serve the copy, because the source failed, and is left alone for a while.
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

  /// What the gate decided, with every strategy it asked.
  public let decision: Decision
  /// What a get would do.
  public let action: Action
  /// Why the source would not be asked, where a get would otherwise ask it; `nil` when it would be, and
  /// when no fetch is wanted.
  public let refusal: FetchFailure?
  /// Who is fetching the key now; `nil` for nobody.
  public let fetchedBy: String?
  /// Until when its origin is left alone; `nil` when it is not.
  public let originIsDownUntil: Timestamp?
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
  /// What the source would be asked conditionally with.
  public let validators: Validators
}
