public import Strategies

/// A local write that its source has not accepted yet, as a listing shows it: everything but the
/// bytes.
public struct OutboxEntry: Sendable, Hashable, Identifiable {
  /// The kinds of write, without what they carry.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// To make an object that does not exist yet.
    case create
    /// To put a value in place of another.
    case replace
    /// To change an object by a patch document.
    case patch
    /// To delete an object.
    case delete
  }

  /// Where an entry stands.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits for its turn, or for the end of a pause.
    case waiting
    /// Somebody is pushing it now.
    case pushing
    /// The source refused it for good. It holds up the later writes of its key, and stays until it
    /// is retried or dropped on request.
    case parked
  }

  /// Its number: writes are pushed in this order, key by key. Never used again.
  public let id: Int64
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// What the source is asked to do.
  public let kind: Kind
  /// Names this write to the source, so that one that arrives twice is applied once. A write that is
  /// changed after a conflict gets a new one.
  public let idempotencyKey: String
  /// When it was written.
  public let writtenAt: Timestamp
  /// The size of what is to be sent, in bytes.
  public let size: Int
  /// How often it was sent without an answer that settled it.
  public let attempts: Int
  /// The earliest moment of the next attempt; `nil` when that is now.
  public let nextAttempt: Timestamp?
  /// Why the last attempt failed, or why the entry was parked.
  public let failure: String?
  /// Where it stands.
  public let state: State
}
