#if CommandLine
  internal import ArgumentParser
  internal import Rules

  /// A rule that a value can be required to obey.
  enum Requirement: String, ExpressibleByArgument, CaseIterable {
    case json
    case nonempty

    var rule: Rule<[UInt8]> {
      switch self {
      case .json:
        Rule(code: "json", message: "must be JSON") { bytes in
          let lenient = JSONParsingOptions(duplicateNames: .keepLast)
          // The fault does not matter here; rules that are data report it.
          return (try? JSONValue(parsing: bytes, lenient)) != nil
        }
      case .nonempty:
        Rule(code: "not-empty", message: "must not be empty") { !$0.isEmpty }
      }
    }
  }
#endif
