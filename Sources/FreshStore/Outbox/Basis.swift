/// The version of an object from which a new value is made: what a form was opened with, or what was saved
/// last from it.
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
  /// The checksum of the bytes of a local write's value; `nil` for any other.
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

/// It can be kept with a draft that outlives the app, in which the values are stored as they are.
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
  /// What was read, as the basis of a local write; without a copy, that there was none.
  public var basis: Basis<Value> { copy?.basis ?? Basis(of: decision.key, value: nil) }
}
