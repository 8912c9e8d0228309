#if Fleet
  /// One SQL statement of the module: a constant, prepared once per connection under its name.
  ///
  /// Instances are static constants beside the operation that runs them; none is ever built from data.
  final class Statement: Sendable {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
      (self.name, self.text) = ("freshstore_" + name, text)
    }
  }

  /// A statement with its parameters. The steps of one call run as one transaction, or as several, one after
  /// the other.
  struct Step: Sendable {
    let statement: Statement
    let parameters: [Parameter]
    /// True for one that is left out where the engine has no notifications.
    private(set) var isNotice = false
    /// True for the last one of a transaction.
    private(set) var isCommitted = false

    init(_ statement: Statement, _ parameters: Parameter...) {
      (self.statement, self.parameters) = (statement, parameters)
    }

    /// The step, left out where the engine has no notifications.
    static func notice(_ statement: Statement) -> Step {
      var step = Step(statement)
      step.isNotice = true
      return step
    }

    /// The step, and the end of its transaction: what follows it does not keep its locks.
    func committed() -> Step {
      var step = self
      step.isCommitted = true
      return step
    }
  }
#endif
