public import Strategies

/// A local write that its source has not accepted yet, as a listing shows it: everything but the bytes.
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
    /// The write waits for its turn, or for the end of a pause.
    case waiting
    /// The write is being pushed now.
    case pushing
    /// The source refused the write for good.
    /// The write blocks the later writes of its key, and stays until it is retried or dropped on request.
    case parked
  }

  /// The write's number, which is never reused. Writes are pushed in this order, key by key.
  public let id: Int64
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// The requested operation.
  public let kind: Kind
  /// The name of this write to the source, so that a write that arrives twice is applied once.
  /// A write that is changed after a conflict gets a new key.
  public let idempotencyKey: String
  /// The time of the write.
  public let writtenAt: Timestamp
  /// The size of the content to send, in bytes.
  public let size: Int
  /// The number of attempts without an answer that settled the write.
  /// Attempts do not count that were given up, as when the network was lost, or for which nothing was sent.
  public let attempts: Int
  /// The earliest moment of the next attempt; `nil` when it may be made now.
  public let nextAttempt: Timestamp?
  /// The reason why the last attempt failed, or why the entry was parked.
  public let failure: String?
  /// The state of the write.
  public let state: State
  /// The source's answer when it has refused the write; `nil` for any other write.
  /// A write that was parked for another reason has none.
  public let refusal: Refusal?
  /// The write's priority (``WriteOptions/priority``).
  public let priority: Int
  /// The write that has to be settled before this one (``WriteOptions/after``).
  public let after: ID?
}

/// A source's refusal of a local write, for good: it is shown to the user, who corrects the write by it.
public struct Refusal: Sendable, Hashable {
  /// The reason, in words.
  public var reason: String
  /// The status code of the answer (HTTP: RFC 9110 section 15); `nil` when the source has none.
  public var status: Int?
  /// The fields of the answer, by name in lower case; lines of one name are joined by `, `.
  /// Fields that set cookies or credentials are left out.
  public var headers: [String: String]
  /// The body of the answer, such as a problem document (RFC 9457), cut to ``bodyLimit`` bytes.
  public var body: [UInt8]

  /// The most bytes of a body that are kept: 64 KiB.
  public static var bodyLimit: Int { 65_536 }

  /// Creates a refusal.
  public init(
    _ reason: String, status: Int? = nil, headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.reason = reason
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension Refusal: ExpressibleByStringInterpolation {
  /// A refusal that has only words.
  public init(stringLiteral reason: String) {
    self.init(reason)
  }
}

extension Refusal: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}

extension Refusal {
  /// The column form, without the reason, which is kept as the failure of the write.
  var encoded: [UInt8] { Fields(self).encoded }

  /// Reads the column; `reason` is the failure of the write.
  init(_ reason: String, encoded bytes: [UInt8]) {
    let fields = Fields(encoded: bytes)
    self.init(
      reason, status: fields.status.map { Int(truncatingIfNeeded: $0) },
      headers: Dictionary(zip(fields.names, fields.values)) { first, _ in first },
      body: fields.body ?? [])
  }

  private struct Fields: FieldCoded {
    var status: Int64?
    var names: [String] = []
    var values: [String] = []
    var body: [UInt8]?

    init() {}

    init(_ refusal: Refusal) {
      status = refusal.status.map(Int64.init)
      let headers = refusal.headers.sorted { $0.key < $1.key }
      (names, values) = (headers.map(\.key), headers.map(\.value))
      body = Array(refusal.body.prefix(Refusal.bodyLimit))
    }

    mutating func visit(_ visitor: inout some FieldVisitor) {
      visitor.integer(1, &status)
      visitor.texts(2, &names)
      visitor.texts(3, &values)
      visitor.bytes(4, &body)
    }
  }
}

/// A local write with its content, for a user who has to decide about it.
package struct LocalWriteVersions: Sendable {
  /// The write, as a listing shows it.
  package let entry: OutboxEntry
  /// The value or the patch to be sent; `nil` for a deletion.
  package let content: [UInt8]?
  package let contentType: String?
  /// The name of the format of the value (``Codec/identifier``).
  package let format: String
  package let contentVersion: Int64
  package let address: String?
  /// The value that the write states as its basis; without one the last known value at the source before the local
  /// writes of the key. `nil` when there was no value, or it is unknown.
  package let base: [UInt8]?
  /// The state that a parked write has met at its source in place of the base; `nil` for any other write.
  package let met: Met?

  /// The state of a source.
  package enum Met: Sendable, Hashable {
    case value([UInt8])
    case nothing
    /// The store may not keep the source's value.
    case unknown

    /// `nil` when there is no value, or it is unknown.
    package var value: [UInt8]? { if case .value(let value) = self { value } else { nil } }
  }

  init(_ write: StoredWrite, _ known: StoredRecord?, at now: ClockReading) {
    let known = known.flatMap { $0.isIntact ? $0 : nil }
    entry = write.entry(at: now)
    content = write.patch ?? write.payload
    contentType = write.patch == nil ? write.contentType : write.patchType
    (format, contentVersion) = (write.codec, write.contentVersion)
    address = write.address
    base = write.basis.map(\.value) ?? known?.content.value
    met =
      write.basis?.hasMetAnother != true
      ? nil
      : known?.kind == .absent ? .nothing : known?.content.value.map(Met.value) ?? .unknown
  }

  /// True when the value was written as plain bytes.
  package var isBytes: Bool { contentVersion == 0 && format == BytesCodec().identifier }
}
