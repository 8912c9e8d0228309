internal import Synchronization

/// The issues of the document that this task verifies.
///
/// They belong to one call and are bound to its task. So nothing stays in the decoder, and two documents verified
/// at once on one decoder do not mix.
@usableFromInline final class DecodingFindings: Sendable {
  @TaskLocal static var current: DecodingFindings?

  /// Adds to the task's findings, where there are any.
  @usableFromInline static func advise(_ report: Report, _ path: [any CodingKey]) {
    current?.add(report, path)
  }

  private struct State {
    var report = Report.valid
    var hasSubstitutes = false
  }

  private let state = Mutex(State())
  private let takesAll: Bool

  /// Creates findings. Findings that take all are for values that are thrown away.
  init(takingAll takesAll: Bool = false) {
    self.takesAll = takesAll
  }

  var report: Report { state.withLock { $0.report } }

  /// True when the model holds substitutes for values that could not be decoded.
  var hasSubstitutes: Bool { state.withLock { $0.hasSubstitutes } }

  func add(_ report: Report, _ path: [any CodingKey]) {
    let report = report.inside(path)
    state.withLock { $0.report.merge(report) }
  }

  func add(_ error: any Error, _ path: [any CodingKey]) {
    let report = Report([Issue(decoding: error, at: path)])
    state.withLock { $0.report.merge(report) }
  }

  /// Records a value that breaks its rule, or throws where nothing collects.
  @usableFromInline static func note(_ report: Report, _ path: [any CodingKey]) throws {
    if let current {
      current.add(report, path)
    } else if !report.isValid {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: path, debugDescription: report.description,
          underlyingError: VerificationError(report.inside(path))))
    }
  }

  /// Records a decoding error, or throws it where nothing collects.
  @usableFromInline static func note(_ error: any Error, _ path: [any CodingKey]) throws {
    guard let current else { throw error }
    current.state.withLock { $0.hasSubstitutes = true }
    current.add(error, path)
  }

  /// Records a decoding error and returns a substitute. Throws where there is no substitute, or nothing collects.
  /// The whole ends in an error, so no caller ever gets the substitute.
  @usableFromInline static func substitute<Value: Decodable>(
    for type: Value.Type, after error: any Error, _ path: [any CodingKey]
  ) throws -> Value {
    guard let current, !current.takesAll else { throw error }
    let substitute = $current.withValue(DecodingFindings(takingAll: true)) {
      PlaceholderDecoder.value(of: type)
    }
    guard let substitute else { throw error }
    try note(error, path)
    return substitute
  }

  /// Decodes and throws every issue found meanwhile; strict callers treat advice as law.
  static func verify<Value>(
    strict: Bool, _ decode: () throws -> Value
  ) throws(VerificationError) -> Value {
    let findings = DecodingFindings()
    let value: Value
    do {
      value = try $current.withValue(findings, operation: decode)
    } catch {
      findings.add(error, [])
      throw VerificationError(findings.report)
    }
    var report = findings.report
    // Rules of the whole do not apply to substitutes.
    if !findings.hasSubstitutes, let value = value as? any Verifiable {
      report.merge(value.wholeReport)
    }
    guard report.isValid(strict: strict) else { throw VerificationError(report) }
    return value
  }
}

extension Issue {
  /// The issue of a part of a document that cannot be decoded, with the `detail` that the decoder gave. `required`
  /// where the part is missing or null, `wrong-type` with the type `expected`, else `unreadable`.
  init(decoding error: any Error, at path: [any CodingKey]) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      self.init("required", context, [key])
    case DecodingError.valueNotFound(_, let context):
      self.init("required", context)
      parameters["found"] = "null"
    case DecodingError.typeMismatch(let type, let context):
      self.init("wrong-type", context)
      parameters["expected"] = .text("\(type)")
      // Decoders describe their findings only in words, and those are the detail.
      parameters["found"] = "another kind of value"
    case DecodingError.dataCorrupted(let context):
      self.init("unreadable", context)
    default:
      self.init(
        "unreadable", path: IssuePath(coding: path),
        parameters: ["detail": .text(String(describing: error))])
    }
  }

  private init(
    _ code: String, _ context: DecodingError.Context, _ last: [any CodingKey] = []
  ) {
    self.init(
      code, path: IssuePath(coding: context.codingPath + last),
      parameters: ["detail": .text(context.debugDescription)])
  }
}

extension IssuePath {
  /// The path of coding keys: a key with a number is an index, any other key is a field.
  init(coding path: [any CodingKey]) {
    self.init(path.map { key in key.intValue.map { .index($0) } ?? .field(key.stringValue) })
  }

  /// This path, seen from the value at the root of `outer`.
  func inside(_ outer: IssuePath) -> IssuePath {
    IssuePath(outer.components + components)
  }
}

extension Report {
  /// The same report, seen from the value that holds the checked value at `path`.
  func inside(_ path: IssuePath) -> Report {
    var report = self
    for index in issues.indices { report.issues[index].path = issues[index].path.inside(path) }
    for index in omissions.indices {
      report.omissions[index].path = omissions[index].path.inside(path)
    }
    return report
  }

  func inside(_ path: [any CodingKey]) -> Report { inside(IssuePath(coding: path)) }
}

extension KeyedDecodingContainer {
  /// Decodes a value by the container's own method for its type. That is several times as fast as the method for
  /// all types.
  @inlinable func decodeDirectly<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws
    -> Value
  {
    if type == String.self, let value = try decode(String.self, forKey: key) as? Value {
      return value
    }
    if type == Int.self, let value = try decode(Int.self, forKey: key) as? Value {
      return value
    }
    if type == Double.self, let value = try decode(Double.self, forKey: key) as? Value {
      return value
    }
    if type == Bool.self, let value = try decode(Bool.self, forKey: key) as? Value {
      return value
    }
    return try decode(type, forKey: key)
  }

  /// The same for a value that may be absent.
  @inlinable func decodeDirectlyIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    try contains(key) && !decodeNil(forKey: key) ? decodeDirectly(type, forKey: key) : nil
  }
}
