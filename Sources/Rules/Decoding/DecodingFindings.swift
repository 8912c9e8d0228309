internal import Synchronization

/// The issues of the document that this task verifies.
///
/// They belong to one call and are bound to its task, so that nothing stays in the decoder, and two
/// documents verified at once on one decoder do not mix.
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

  /// Creates findings; ones that take all are for values that are thrown away.
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

  /// Records a decoding error and returns a substitute; throws where there is none, or nothing
  /// collects. The whole ends in an error, so no caller ever gets the substitute.
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
}
