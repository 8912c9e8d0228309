#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Rules

  /// The options with the conditions for storing a value.
  struct AdmissionOptions: ParsableArguments {
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The largest value accepted: 512, 10k, 5M, 1G. (default: 64M)", valueName: "size"),
      transform: SizeText.valueSize)
    var maxSize: Int = 64 << 20

    @Option(
      help: ArgumentHelp(
        "Refuse a value unless it is so: json, nonempty. May be repeated.", valueName: "rule"))
    var require: [Requirement] = []

    @OptionGroup var rules: RulesOptions

    /// The gate that values have to pass.
    func gate() throws(CommandFailure) -> AdmissionGate {
      AdmissionGate(rules: try rules.read(), requirements: require)
    }
  }

  /// The conditions for storing a value: rules that are data, and further requirements.
  struct AdmissionGate: Sendable {
    let rules: RulesFile?
    let requirements: [Requirement]

    /// The collection of this name behind the gate. Its records are bytes, whichever program wrote them, as for list
    /// and explain.
    func bytes(
      _ name: String, in store: Store, policy: Policy = .cacheFirst
    ) throws(StoreError) -> RecordCollection<[UInt8]> {
      let codec = AnyBytesCodec()
      let collection =
        if let rules {
          try store.bytes(
            name, codec: codec, policy: policy, admitting: rules.schema, in: rules.scenario)
        } else {
          try store.collection(name, codec: codec, policy: policy)
        }
      return requirements.reduce(collection) { $0.admitting($1.rule) }
    }
  }

  /// A rule that a value can be required to keep.
  enum Requirement: String, ExpressibleByArgument, CaseIterable {
    case json
    case nonempty

    var rule: Rule<[UInt8]> {
      switch self {
      case .json:
        Rule(code: "json", message: "must be JSON") { bytes in
          let lenient = JSONParsingOptions(duplicateNames: .keepLast)
          // The fault does not matter here; a schema reports it.
          return (try? JSONValue(parsing: bytes, lenient)) != nil
        }
      case .nonempty:
        Rule(code: "not-empty", message: "must not be empty") { !$0.isEmpty }
      }
    }
  }

  /// The options for rules, of every verb that checks values.
  struct RulesOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "A schema that a JSON value must keep; see Documentation/RulesAsData.md.",
        valueName: "file"),
      completion: .file(extensions: ["json"]))
    var rules: String?

    @Option(
      help: ArgumentHelp("The scenario of the rules. (default: default)", valueName: "name"))
    var scenario: String?

    func validate() throws {
      if scenario != nil, rules == nil {
        throw ValidationError("a --scenario is one of the --rules; name their file")
      }
    }

    /// The rules; `nil` when the options name none.
    func read() throws(CommandFailure) -> RulesFile? {
      guard let rules else { return nil }
      return try RulesFile(path: rules, scenario: scenario)
    }
  }

  /// Rules that are data: a schema in a JSON file.
  struct RulesFile: Sendable {
    private static let sizeLimit = 16 << 20

    let schema: DocumentSchema
    let scenario: Scenario

    /// Reads the whole file. A schema with any fault is refused.
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

  /// The options for the tags of a value.
  struct TagOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A label to mark by. May be repeated.", valueName: "tag"))
    var tag: [String] = []

    func validate() throws {
      if tag.contains("") { throw ValidationError("a --tag must not be empty") }
    }

    /// Refuses a tag that is too long for the marks of a fleet.
    func checkForFleet() throws {
      let limit = SharedNameLimit.tag
      guard let long = tag.first(where: { $0.utf8.count > limit }) else { return }
      throw ValidationError(
        "a --tag has at most \(limit) bytes in a fleet, and this one has \(long.utf8.count)")
    }

    /// The tags; `nil` keeps the tags of the record.
    var tags: Set<String>? { tag.isEmpty ? nil : Set(tag) }
  }
#endif
