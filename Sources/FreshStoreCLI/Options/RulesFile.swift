#if CommandLine
  internal import Rules

  /// Rules that are data: a schema in a JSON file.
  struct RulesFile: Sendable {
    private static let sizeLimit = 16 << 20

    let schema: DocumentSchema
    let scenario: Scenario

    /// Reads the file whole: a schema with anything wrong in it checks nothing.
    init(path: String, scenario name: String?) throws(CommandFailure) {
      let text: [UInt8]
      do throws(Descriptor.Failure) {
        text = try Descriptor.content(of: path, limit: Self.sizeLimit).bytes
      } catch {
        throw CommandFailure(
          .inputOutput, "the rules in \(path.debugDescription) cannot be read: \(error.words)")
      }
      guard text.count <= Self.sizeLimit else {
        throw CommandFailure(
          .usage,
          "the rules in \(path.debugDescription) have more than \(Self.sizeLimit >> 20) MiB")
      }
      do throws(SchemaError) {
        schema = try DocumentSchema(parsing: text)
      } catch {
        throw CommandFailure(
          .usage,
          "the rules in \(path.debugDescription) are not usable: \(Console.printable("\(error)"))")
      }
      scenario = name.map(Scenario.init(rawValue:)) ?? .default
      guard schema.scenarios.contains(scenario) else {
        let known = schema.scenarios.map(\.rawValue).sorted().joined(separator: ", ")
        throw CommandFailure(
          .usage,
          "the rules have no scenario '\(Console.printable(scenario.rawValue))'; they have \(known)"
        )
      }
    }
  }
#endif
