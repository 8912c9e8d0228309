#if CommandLine
  internal import Rules

  extension Report {
    /// The output of `validate --json` for one document of a file.
    ///
    /// - Parameter line: The line of a text of JSON lines.
    func fields(file: String, line: Int?, strict: Bool) -> JSONFields {
      [
        "file": file, "line": line, "isValid": isValid(strict: strict),
        "outcome": outcome.rawValue, "issues": issues.map(\.fields),
      ]
    }
  }

  extension Issue {
    /// One way in which a value breaks a rule, for programs and for people.
    fileprivate var fields: JSONFields {
      [
        "path": path.description, "code": code, "severity": severity.rawValue, "message": message,
        "parameters": parameters.mapValues(ParameterOutput.init), "rule": rule,
      ]
    }
  }

  /// A figure or a text that belongs to an issue, in JSON.
  private struct ParameterOutput: Encodable {
    let parameter: Parameter

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch parameter {
      case .text(let text): try container.encode(text)
      case .integer(let integer): try container.encode(integer)
      // JSON has no NaN and no infinities.
      case .number(let number) where number.isFinite: try container.encode(number)
      case .number(let number): try container.encode(String(number))
      case .boolean(let boolean): try container.encode(boolean)
      case .list(let items): try container.encode(items.map(ParameterOutput.init))
      }
    }
  }
#endif
