public import Strategies

/// A local write that its source has not accepted yet, as a listing shows it: everything but the
/// bytes.
public struct OutboxEntry: Sendable, Hashable, Identifiable {
  /// The kinds of write, without their content.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Creates an object that does not exist yet.
    case create
    /// Replaces a value by another.
    case replace
    /// Changes an object by a patch document.
    case patch
    /// Deletes an object.
    case delete
  }

  /// The state of an entry.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits for its turn, or for the end of a pause.
    case waiting
    /// It is being pushed now.
    case pushing
    /// The source refused it for good. It blocks the later writes of its key, and stays until it is
    /// retried or dropped on request.
    case parked
  }

  /// Its number: writes are pushed in this order, key by key. Never reused.
  public let id: Int64
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// The requested operation.
  public let kind: Kind
  /// Names this write to the source, so that one that arrives twice is applied once. A write that
  /// is changed after a conflict gets a new one.
  public let idempotencyKey: String
  /// The time of the write.
  public let writtenAt: Timestamp
  /// The size of the content to send, in bytes.
  public let size: Int
  /// The number of attempts without an answer that settled it; without those that were given up, as when
  /// the network was lost, and those for which nothing was sent.
  public let attempts: Int
  /// The earliest moment of the next attempt; `nil` when that is now.
  public let nextAttempt: Timestamp?
  /// The reason why the last attempt failed, or why the entry was parked.
  public let failure: String?
  /// Its state.
  public let state: State
  /// The source's answer, where it has refused the write; `nil` for a write that was parked for another
  /// reason, and for any that is not parked.
  public let refusal: Refusal?
  /// Its priority (``WriteOptions/priority``).
  public let priority: Int
  /// The write that has to be settled before it (``WriteOptions/after``).
  public let after: ID?
}
