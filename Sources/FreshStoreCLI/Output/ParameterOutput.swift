#if CommandLine
  internal import Rules

  /// A figure or a text that belongs to an issue, in JSON.
  struct ParameterOutput: Encodable {
    let parameter: Parameter

    init(_ parameter: Parameter) {
      self.parameter = parameter
    }

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
