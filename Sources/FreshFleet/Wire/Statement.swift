#if Fleet
  internal import FreshStore
  internal import Strategies

  /// One SQL statement of the module: a constant, prepared once per connection under its name.
  ///
  /// Instances are static constants beside the operation that runs them. None is ever built from data.
  final class Statement: Sendable {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
      (self.name, self.text) = ("freshstore_" + name, text)
    }
  }

  /// A statement with its parameters. The steps of one call run as one transaction, or as several in a row.
  struct Step: Sendable {
    let statement: Statement
    let parameters: [Parameter]
    /// True for a step that is left out if the engine has no notifications.
    private(set) var isNotice = false
    /// True for the last step of a transaction.
    private(set) var isCommitted = false

    init(_ statement: Statement, _ parameters: Parameter...) {
      (self.statement, self.parameters) = (statement, parameters)
    }

    /// A step on leases: its first parameters are their collections, keys and fences.
    init(_ statement: Statement, on leases: [SharedLease], _ others: Parameter...) {
      self.statement = statement
      parameters =
        [
          .bytes(leases.map(\.key.collection)), .bytes(leases.map(\.key.key)),
          .integers(leases.map(\.fence)),
        ] + others
    }

    /// A step that is left out if the engine has no notifications.
    static func notice(_ statement: Statement) -> Step {
      var step = Step(statement)
      step.isNotice = true
      return step
    }

    /// The step as the last one of its transaction: later steps do not keep its locks.
    func committed() -> Step {
      var step = self
      step.isCommitted = true
      return step
    }
  }

  /// A value of a statement's parameter, in PostgreSQL's binary form; `nil` is NULL.
  struct Parameter: Sendable {
    let bytes: [UInt8]?

    init(_ bytes: [UInt8]?) { self.bytes = bytes }

    static func bytes(_ bytes: [UInt8]?) -> Parameter { Parameter(bytes) }

    static func text(_ text: String) -> Parameter { Parameter(Array(text.utf8)) }

    /// A reason, cut to a length that every table takes.
    static func reason(_ text: String) -> Parameter { Parameter(Array(text.utf8.prefix(1024))) }

    static func integer(_ value: Int64?) -> Parameter { Parameter(value.map(bigEndian)) }

    static func boolean(_ value: Bool) -> Parameter { Parameter([value ? 1 : 0]) }

    /// Whole milliseconds, at most some three thousand years: a date plus the duration must remain a date.
    static func milliseconds(_ duration: Duration?) -> Parameter {
      integer(duration.map { min(max($0.wholeMilliseconds, -longest), longest) })
    }

    private static let longest: Int64 = 100_000_000_000_000

    static func bytes(_ values: [[UInt8]]) -> Parameter { array(values, of: 17) }

    static func integers(_ values: [Int64?]) -> Parameter {
      array(values.map { $0.map(bigEndian) }, of: 20)
    }

    static func booleans(_ values: [Bool]) -> Parameter {
      array(values.map { [$0 ? 1 : 0] }, of: 16)
    }

    /// An array of one dimension (`array_recv` in PostgreSQL's `arrayfuncs.c`): the number of dimensions,
    /// whether there are NULLs, the object identifier of the type, the length, the first index, the elements.
    private static func array(_ values: [[UInt8]?], of type: Int32) -> Parameter {
      var bytes: [UInt8] = []
      let hasNull = values.contains { $0 == nil }
      let head: [Int32] =
        values.isEmpty ? [0, 0, type] : [1, hasNull ? 1 : 0, type, Int32(values.count), 1]
      for number in head { bytes += bigEndian(number) }
      for value in values {
        bytes += bigEndian(Int32(value?.count ?? -1))
        bytes += value ?? []
      }
      return Parameter(bytes)
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      let bits = Number.bitWidth
      return stride(from: bits - 8, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: number >> $0)
      }
    }
  }
#endif
