/// The version of an object from which a new value is made.
///
/// It is the version that a form was opened with, or that was last saved from it.
///
/// ```swift
/// let opened = try reports.read("7")
/// var basis = opened.basis  // also where there is no report yet
/// // … the form is filled in …
/// basis = try await reports.write(report, for: "7", basedOn: basis).basis
/// // … and corrected, and saved again …
/// basis = try await reports.write(report, for: "7", basedOn: basis).basis
/// ```
public struct Basis<Value: Sendable>: Sendable {
  /// The key.
  public let key: String
  /// The value of that version; `nil` when there was none.
  public let value: Value?
  let validators: Validators
  let metadata: String?
  /// The checksum of the bytes of a local write's value; `nil` for any other version.
  let written: Int64?

  init(
    of key: String, value: Value?, validators: Validators = Validators(), metadata: String? = nil,
    written: Int64? = nil
  ) {
    self.key = key
    self.value = value
    self.validators = validators
    self.metadata = metadata
    self.written = written
  }
}

/// A basis can be kept with a draft that outlives the app. The draft holds the values as they are.
extension Basis: Codable where Value: Codable {}

extension Copy {
  /// This version, as the basis of a local write.
  public var basis: Basis<Value> {
    Basis(
      of: key, value: value, validators: validators, metadata: origin?.metadata,
      written: origin?.written)
  }
}

extension Reading {
  /// The version that was read, as the basis of a local write. Without a copy, the basis says that there was no object.
  public var basis: Basis<Value> { copy?.basis ?? Basis(of: decision.key, value: nil) }
}

/// A local write of a value that states its basis.
public struct Saved<Value: Sendable>: Sendable {
  /// The entry in the outbox.
  public let entry: OutboxEntry
  /// The written version, as the basis of the next write of the same form.
  ///
  /// Only with this basis do the two writes not conflict, even where the source accepts the first one as another value.
  /// A collection that merges then merges the second write into that value.
  public let basis: Basis<Value>
}

extension RecordCollection {
  /// Writes a value locally that was made from a version of the object which may be old by now.
  ///
  /// An example is the version that a form was opened with. This is as ``write(_:for:as:options:)``.
  ///
  /// The source is told of that version (HTTP: `If-Match`). When another version has come since, from the source or by
  /// a local write, that is a conflict. Nothing is overwritten unseen (``ConflictPolicy``). A form that is saved twice
  /// bases its second write on the result of the first one.
  ///
  /// - Parameters:
  ///   - kind: `nil` for a creation where the basis says that there is no object, and otherwise for a replacement.
  ///   - basis: ``Reading/basis``, ``Copy/basis``, or ``Saved/basis`` of the write before.
  @discardableResult
  public func write(
    _ value: Value, for key: String, as kind: WriteKind? = nil, basedOn basis: Basis<Value>,
    options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> Saved<Value> {
    let begun = store.numberOfRequest()
    let kind = kind ?? (basis.value == nil ? .create : .replace)
    let admitted = try await admittedForWrite(value, key, kind)
    var write = try written(admitted, key, kind, options)
    while true {
      let expected = try note(basis, in: &write)
      if let entry = try await stored([write], options, begun, expected)?.first.flatMap(\.self) {
        let basis = Basis(of: key, value: admitted, written: write.valueChecksum)
        return Saved(entry: entry, basis: basis)
      }
    }
  }

  /// Deletes an object locally that was seen in a version which may be old by now.
  ///
  /// This is as ``writeDeletion(of:options:)`` and ``write(_:for:as:basedOn:options:)``.
  @discardableResult
  public func writeDeletion(
    of key: String, basedOn basis: Basis<Value>, options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> OutboxEntry? {
    try check(key, .write)
    let begun = store.numberOfRequest()
    var write = entry(.delete, key, options)
    while true {
      let expected = try note(basis, in: &write)
      if let stored = try await stored([write], options, begun, expected) {
        return stored.first.flatMap(\.self)
      }
    }
  }

  /// Gives a write the version that it was made from as its basis, unless that version is stored now. Returns the
  /// version that is stored now.
  private func note(
    _ basis: Basis<Value>, in write: inout StoredWrite
  ) throws(StoreError) -> Storage.Expected {
    guard basis.key.hasSameBytes(as: write.key) else {
      throw error(
        .invalidArgument("the basis is a version of \(basis.key)"), .write, write.key)
    }
    let current = try store.storage.record(name, write.key)
    write.basis = nil
    if !isSame(basis, policy.own(current)) {
      var stated = WriteBasis()
      if let value = basis.value {
        let bytes = try encoded(value, write.key, .write)
        stated.value = bytes
        (stated.codec, stated.contentVersion) = (codec.identifier, contentVersion)
        stated.written = basis.written ?? StoredRecord.checksum(of: bytes)
      }
      (stated.validators, stated.metadata) = (basis.validators, basis.metadata)
      write.basis = stated
    }
    return Storage.Expected(current)
  }

  /// True when the record still is the version of the object that a value was made from.
  private func isSame(_ basis: Basis<Value>, _ record: StoredRecord?) -> Bool {
    guard let own = basis.value else {
      return record.map { $0.isIntact && $0.kind != .value } ?? true
    }
    guard let record, record.kind == .value, record.isIntact else { return false }
    if let tag = record.content.validators.entityTag, tag == basis.validators.entityTag {
      return true
    }
    return value(of: record).map { areSame(own, $0) } ?? false
  }
}
