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

  /// A statement with its parameters. The steps of one call run as one transaction.
  struct Step: Sendable {
    let statement: Statement
    let parameters: [Parameter]

    init(_ statement: Statement, _ parameters: Parameter...) {
      (self.statement, self.parameters) = (statement, parameters)
    }
  }
#endif
