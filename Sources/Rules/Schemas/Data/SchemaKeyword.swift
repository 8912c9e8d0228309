/// A key of a schema that states one rule, and the way to make the rule from the key's value.
struct SchemaKeyword: Sendable {
  typealias Make = @Sendable (SchemaValue) throws(SchemaError) -> Rule<JSONValue>

  let name: String
  /// The kind of values that it is about; all kinds, when `nil`.
  let kind: JSONKind?
  let make: Make

  static func any(_ name: String, _ make: @escaping Make) -> SchemaKeyword {
    SchemaKeyword(name: name, kind: nil, make: make)
  }

  static func text(
    _ name: String, _ make: @escaping @Sendable (SchemaValue) throws(SchemaError) -> Rule<String>
  ) -> SchemaKeyword {
    SchemaKeyword(name: name, kind: .string) { (value) throws(SchemaError) in
      let rule = try make(value)
      return Rule { json, findings in
        guard case .string(let text) = json else { return .skipped }
        return rule.apply(to: text, &findings)
      }
    }
  }

  /// A rule about texts without options: the key's value is `true`.
  static func text(_ name: String, _ rule: Rule<String>) -> SchemaKeyword {
    text(name) { (value) throws(SchemaError) in
      try value.isTrue()
      return rule
    }
  }

  /// A rule between a number and the key's value.
  static func number(
    _ name: String, _ code: String, _ parameter: String,
    _ isKept: @escaping @Sendable (JSONNumber, JSONNumber) -> Bool
  ) -> SchemaKeyword {
    SchemaKeyword(name: name, kind: .number) { (value) throws(SchemaError) in
      let bound = try value.number()
      let issue = Issue(code, parameters: [parameter: .of(JSONValue.number(bound))])
      return Rule { json, findings in
        guard case .number(let number) = json else { return .skipped }
        return isKept(number, bound) ? .passed : findings.fail(issue)
      }
    }
  }

  static func list(
    _ name: String,
    _ make: @escaping @Sendable (SchemaValue) throws(SchemaError) -> Rule<[JSONValue]>
  ) -> SchemaKeyword {
    SchemaKeyword(name: name, kind: .array) { (value) throws(SchemaError) in
      let rule = try make(value)
      return Rule { json, findings in
        guard case .array(let items) = json else { return .skipped }
        return rule.apply(to: items, &findings)
      }
    }
  }

  /// Every key that states one rule. A rule is added by a line here.
  static let standard: [SchemaKeyword] = values + texts + formats + numbers + lists

  static let byName = Dictionary(uniqueKeysWithValues: standard.map { ($0.name, $0) })

  private static let values: [SchemaKeyword] = [
    .any("equals") { value in
      Rule(code: "not-equal", parameters: ["expected": .of(value.json)]) { [json = value.json] in
        $0 == json
      }
    },
    .any("differsFrom") { value in
      Rule(code: "equal", parameters: ["forbidden": .of(value.json)]) { [json = value.json] in
        $0 != json
      }
    },
    .any("oneOf") { (value) throws(SchemaError) in
      let values = try value.nonEmptyList().map(\.json)
      return Rule(code: "not-allowed", parameters: ["allowed": .list(values.map(Parameter.of))]) {
        values.contains($0)
      }
    },
    .any("noneOf") { (value) throws(SchemaError) in
      let values = try value.nonEmptyList().map(\.json)
      return Rule(code: "forbidden", parameters: ["forbidden": .list(values.map(Parameter.of))]) {
        !values.contains($0)
      }
    },
  ]

  private static let texts: [SchemaKeyword] = [
    .text("length") { (value) throws(SchemaError) in try length(value) },
    .text("notEmpty", .notEmpty),
    .text("notBlank", .notBlank),
    .text("singleLine", .singleLine),
    .text("noHiddenCharacters", .noHiddenCharacters),
    .text("matches") { (value) throws(SchemaError) in
      try patterns(value) { (pattern, extent, letters, unit) throws(PatternError) in
        try .matches(pattern, extent, letters, by: unit)
      }
    },
    .text("doesNotMatch") { (value) throws(SchemaError) in
      try patterns(value) { (pattern, extent, letters, unit) throws(PatternError) in
        try .doesNotMatch(pattern, extent, letters, by: unit)
      }
    },
    .text("contains") { (value) throws(SchemaError) in .contains(try value.text()) },
    .text("startsWith") { (value) throws(SchemaError) in .hasPrefix(try value.text()) },
    .text("endsWith") { (value) throws(SchemaError) in .hasSuffix(try value.text()) },
    .text("containsDigit", .containsDigit),
    .text("containsUppercase", .containsUppercase),
    .text("containsLowercase", .containsLowercase),
    .text("containsSpecialCharacter", .containsSpecialCharacter),
    .text("onlyLetters", .onlyLetters),
    .text("onlyDigits", .onlyDigits),
    .text("onlyLettersAndDigits", .onlyLettersAndDigits),
    .text("onlyASCII", .onlyASCII),
    .text("integerText", .integerText),
    .text("numberText", .numberText),
  ]

  private static let numbers: [SchemaKeyword] = [
    .number("min", "too-small", "min") { $0 >= $1 },
    .number("max", "too-big", "max") { $0 <= $1 },
    .number("greaterThan", "not-greater", "bound") { $0 > $1 },
    .number("lessThan", "not-less", "bound") { $0 < $1 },
    SchemaKeyword(name: "multipleOf", kind: .number) { (value) throws(SchemaError) in
      let step = try value.number()
      guard let divisor = step.decimal.divisor else {
        throw value.error(.contradiction("a step is more than 0 and has at most 18 digits"))
      }
      return numeric("not-a-multiple", ["step": .of(value.json)]) {
        $0.decimal.isMultiple(of: divisor)
      }
    },
    SchemaKeyword(name: "places", kind: .number) { (value) throws(SchemaError) in
      let places = try value.count()
      return numeric("too-precise", ["max": .integer(places)]) { $0.decimal.places <= places }
    },
  ]

  private static let lists: [SchemaKeyword] = [
    .list("count") { (value) throws(SchemaError) in
      try value.options { (options) throws(SchemaError) in
        let range = try options.range()
        let exactly = range.exactly.map { .count($0...$0) } ?? Rule<[JSONValue]>.pass
        return .all(
          range.min.map { .count(min: $0) } ?? .pass, range.max.map { .count(max: $0) } ?? .pass,
          exactly)
      }
    },
    .list("distinct") { (value) throws(SchemaError) in
      try value.isTrue()
      return .distinct
    },
    .list("someOf") { (value) throws(SchemaError) in
      .elements(anyOf: try value.nonEmptyList().map(\.json))
    },
    .list("notAllOf") { (value) throws(SchemaError) in
      .elements(notAllOf: try value.nonEmptyList().map(\.json))
    },
  ]

  private static func numeric(
    _ code: String, _ parameters: [String: Parameter],
    _ isKept: @escaping @Sendable (JSONNumber) -> Bool
  ) -> Rule<JSONValue> {
    let issue = Issue(code, parameters: parameters)
    return Rule { json, findings in
      guard case .number(let number) = json else { return .skipped }
      return isKept(number) ? .passed : findings.fail(issue)
    }
  }

  private static func length(_ value: SchemaValue) throws(SchemaError) -> Rule<String> {
    try value.options { (options) throws(SchemaError) in
      let range = try options.range()
      let unit: LengthUnit = try options.take("unit")?.choice("unit of length") ?? .graphemes
      return .all(
        range.min.map { .length(min: $0, in: unit) } ?? .pass,
        range.max.map { .length(max: $0, in: unit) } ?? .pass,
        range.exactly.map { .length(exactly: $0, in: unit) } ?? .pass)
    }
  }

  /// One pattern, or a list of them.
  private static func patterns(
    _ value: SchemaValue,
    _ make: (String, PatternExtent, LetterCase, PatternUnit) throws(PatternError) -> Rule<String>
  ) throws(SchemaError) -> Rule<String> {
    if case .array = value.json {
      return .all(
        try value.nonEmptyList().map { (item) throws(SchemaError) in try patterns(item, make) })
    }
    return try value.options { (options) throws(SchemaError) in
      let pattern = try options.need("pattern")
      let (text, extent) = (
        try pattern.text(), try options.need("extent").choice("extent", PatternExtent.self)
      )
      let letters: LetterCase = try options.take("case")?.choice("case") ?? .sensitive
      let unit: PatternUnit = try options.take("unit")?.choice("unit of patterns") ?? .graphemes
      do throws(PatternError) { return try make(text, extent, letters, unit) } catch {
        throw pattern.error(.malformedPattern("\(error)"))
      }
    }
  }

  /// The rules about texts of a known form.
  static let formats: [SchemaKeyword] = [
    .text("email") { (value) throws(SchemaError) in
      try value.options { (options) throws(SchemaError) in
        .email(
          try options.take("grammar")?.choice("grammar") ?? .practical,
          international: try options.flag("international"))
      }
    },
    .text("url") { (value) throws(SchemaError) in try url(value) },
    .text("ip") { (value) throws(SchemaError) in .ipAddress(try version(value)) },
    .text("ipNetwork") { (value) throws(SchemaError) in .ipNetwork(try version(value)) },
    .text("domain") { (value) throws(SchemaError) in
      try value.options { (options) throws(SchemaError) in
        .domainName(
          labels: try options.take("labels")?.count() ?? 2,
          international: try options.flag("international"))
      }
    },
    .text("phone") { (value) throws(SchemaError) in
      .phone(separators: try separators(value))
    },
    .text("card") { (value) throws(SchemaError) in
      try value.options { (options) throws(SchemaError) in
        let types = try options.take("types")?.nonEmptyList()
          .map { (item) throws(SchemaError) in try item.choice("card type", CardType.self) }
        return .paymentCard(
          Set(types ?? CardType.allCases), separators: try options.flag("separators"))
      }
    },
    .text("luhn") { (value) throws(SchemaError) in .luhn(separators: try separators(value)) },
    .text("iban") { (value) throws(SchemaError) in
      try value.options { (options) throws(SchemaError) in
        .iban(spaces: try options.flag("spaces"))
      }
    },
    .text("postalCode") { (value) throws(SchemaError) in
      try value.options { (options) throws(SchemaError) in
        .postalCode(try options.need("country").choice("country", PostalCountry.self))
      }
    },
    .text("date", .time(.date)),
    .text("time", .time(.time)),
    .text("localDateTime", .time(.localDateTime)),
    .text("instant", .time(.instant)),
    .text("uuid", .uuid),
  ]

  private static func url(_ value: SchemaValue) throws(SchemaError) -> Rule<String> {
    try value.options { (options) throws(SchemaError) in
      var form = URLForm(schemes: try options.take("schemes")?.texts() ?? ["http", "https"])
      if let host = options.take("host") { form.host = try self.host(host) }
      form.defaultScheme = try options.take("defaultScheme")?.text().lowercased()
      form.reference = try options.flag("relative") ? .relative : .refused
      form.allowsUser = try options.flag("user")
      form.isInternational = try options.flag("international")
      return .url(form)
    }
  }

  private static func host(_ value: SchemaValue) throws(SchemaError) -> URLForm.Host {
    let name = try value.text()
    guard let host = URLForm.Host(rawValue: name) else {
      throw value.unknown("kind of host", name, among: ["dotted", "any", "optional"])
    }
    return host
  }

  private static func version(_ value: SchemaValue) throws(SchemaError) -> IPVersion {
    try value.options { (options) throws(SchemaError) in
      try options.take("version")?.choice("version") ?? .any
    }
  }

  private static func separators(_ value: SchemaValue) throws(SchemaError) -> Bool {
    try value.options { (options) throws(SchemaError) in try options.flag("separators") }
  }
}
