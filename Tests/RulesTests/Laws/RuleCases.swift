import Rules

/// Every rule of the module, with values to try it on.
enum RuleCases {
  static let all = texts + formats + patterns + integers + numbers + equality + lists + others

  private static func text(
    _ name: String, _ rule: Rule<String>, _ codes: String..., more: [String] = []
  ) -> RuleCase {
    RuleCase(name, rule, codes: Set(codes), NastyValues.texts + more, huge: NastyValues.hugeTexts)
  }

  private static let texts = [
    text("notEmpty", .notEmpty, "empty"), text("empty", .empty, "not-empty"),
    text("notBlank", .notBlank, "blank"), text("blank", .blank, "not-blank"),
    text("notBlank horizontal", .notBlank(.horizontal), "blank"),
    text("blank horizontal", .blank(.horizontal), "not-blank"),
    text("singleLine", .singleLine, "several-lines"),
    text("noHiddenCharacters", .noHiddenCharacters, "hidden-character"),
    text("contains", .contains("ell"), "does-not-contain"),
    text("hasPrefix", .hasPrefix("he"), "wrong-beginning"),
    text("hasSuffix", .hasSuffix("lo"), "wrong-end"),
    text("length min", .length(min: 3), "too-short"),
    text("length max", .length(max: 3, in: .scalars), "too-long"),
    text("length range", .length(2...3, in: .utf16), "too-short", "too-long"),
    text("length exactly", .length(exactly: 1, in: .utf8), "wrong-length"),
    text("containsDigit", .containsDigit, "no-digit"),
    text("containsUppercase", .containsUppercase, "no-uppercase"),
    text("containsLowercase", .containsLowercase, "no-lowercase"),
    text("containsSpecialCharacter", .containsSpecialCharacter, "no-special-character"),
    text("onlyLetters", .onlyLetters, "not-only-letters"),
    text("onlyDigits", .onlyDigits, "not-only-digits"),
    text("onlyLettersAndDigits", .onlyLettersAndDigits, "not-only-letters-and-digits"),
    text("onlyASCII", .onlyASCII, "not-only-ascii"),
    text("required", .notEmpty.after { $0 }, "empty"),
  ]

  private static let formats =
    [
      text("email", .email(), "not-an-email", more: ["ada@example.com"]),
      text("email ascii", .email(.ascii), "not-an-email", more: ["ada@example.com"]),
      text(
        "email rfcLike", .email(.rfcLike, international: true), "not-an-email",
        more: ["\"a b\"@c", "(c)a@b(", "\"\\", "a@[", "a@[::1]", "ü@ü"]),
      text("url", .url(), "not-a-url", more: ["https://example.com:80/?#", "http://[::1]:"]),
      text("url relative", .url(.webOrRelative), "not-a-url", more: ["//", "?", "a:b"]),
      text(
        "url schemes", .url(.schemes("mailto", "file")), "not-a-url", more: ["mailto:", "file:///"]),
      text("ipAddress", .ipAddress(), "not-an-ip-address", more: ["::", "1.2.3.4", ":::", "1:"]),
      text("ipNetwork", .ipNetwork(), "not-an-ip-network", more: ["::/0", "1.2.3.4/33"]),
      text("domainName", .domainName(), "not-a-domain-name", more: ["example.com"]),
      text("uuid", .uuid, "not-a-uuid", more: ["123e4567-e89b-12d3-A456-426614174000"]),
      text("phone", .phone(separators: true), "not-a-phone-number", more: ["+32 2 555 01 00"]),
      text("paymentCard", .paymentCard(), "not-a-card-number", more: ["4111111111111111"]),
      text("luhn", .luhn(), "wrong-check-digit", more: ["18"]),
      text("iban", .iban(spaces: true), "not-an-iban", more: ["GB82 WEST 1234 5698 7654 32"]),
      text("integerText", .integerText, "not-an-integer"),
      text("numberText", .numberText, "not-a-number"),
      text("asInteger", Rule<Int>.atLeast(5).asInteger, "not-a-number", "too-small"),
      text(
        "asDecimal", Rule<ExactDecimal>.places(max: 1).asDecimal, "not-a-number", "too-precise",
        more: ["0.25", "0." + String(repeating: "0", count: 1 << 20) + "1"]),
    ]
    + TimeForm.allCases.map {
      text("time \($0)", .time($0), "not-a-time", more: ["2024-02-30", "23:59", "24:00:00Z"])
    }
    + PostalCountry.allCases.map {
      text("postalCode \($0)", .postalCode($0), "not-a-postal-code", more: ["SW1A 1AA", "1000"])
    }

  private static let patterns = [
    text("matches", pattern("[a-z]+"), "no-match"),
    text("matches catastrophic", pattern("(a*)*b"), "no-match"),
    text(
      "matches named", .matches(/[a-z]+/, named: "word", .whole, limit: 39), "no-match",
      "too-long-to-match"),
    text(
      "doesNotMatch named", .doesNotMatch(/[a-z]+/, named: "word", .search, limit: 39),
      "forbidden-match", "too-long-to-match"),
    text("doesNotMatch", forbidden("l+"), "forbidden-match"),
  ]

  private static func pattern(_ pattern: String) -> Rule<String> {
    do {
      return try .matches(pattern, .whole, .insensitive)
    } catch {
      return Rule(code: "\(error)") { _ in false }
    }
  }

  private static func forbidden(_ pattern: String) -> Rule<String> {
    do {
      return try .doesNotMatch(pattern, .search, .sensitive, by: .scalars)
    } catch {
      return Rule(code: "\(error)") { _ in false }
    }
  }

  private static func integer(_ name: String, _ rule: Rule<Int>, _ codes: String...) -> RuleCase {
    RuleCase(name, rule, codes: Set(codes), NastyValues.integers)
  }

  private static let integers = [
    integer("atLeast", .atLeast(5), "too-small"), integer("atMost", .atMost(5), "too-big"),
    integer("greater", .greater(than: 5), "not-greater"),
    integer("less", .less(than: 5), "not-less"),
    integer("between", .between(1...5), "too-small", "too-big"),
    integer("compares", .compares(.lessOrEqual, 5), "wrong-relation"),
    integer("positive", .positive, "not-positive"),
    integer("notNegative", .notNegative, "negative"),
    integer("negative", .negative, "not-negative"),
    integer("multiple", .multiple(of: 2), "not-a-multiple"),
    integer("multiple of zero", .multiple(of: 0), "not-a-multiple"),
    integer("fits", .fits(in: Int8.self), "not-representable"),
    integer("existing", .existing(in: "orders") { $0 == 7 }, "unknown"),
    integer("unique", .unique(in: "orders") { $0 == 7 }, "already-known"),
  ]

  private static func number(_ name: String, _ rule: Rule<Double>, _ codes: String...) -> RuleCase {
    RuleCase(name, rule, codes: Set(codes), NastyValues.numbers)
  }

  private static let numbers = [
    number("between doubles", .between(0, 1), "too-small", "too-big"),
    number("isFinite", .isFinite, "not-finite"),
    number("isInteger", .isInteger, "not-an-integer"),
    number("multiple of double", .multiple(of: 0.25), "not-a-multiple"),
    number("multiple of infinity", .multiple(of: .infinity), "not-a-multiple"),
    number("fits double", .fits(in: Int.self), "not-representable"),
    number("positive double", .positive, "not-positive"),
  ]

  private static let equality = [
    integer("equals", .equals(7), "not-equal"),
    integer("equals closure", .equals("seven") { 7 }, "not-equal"),
    integer("differs", .differs(from: 7), "equal"),
    integer("oneOf", .oneOf([1, 2]), "not-allowed"),
    integer("noneOf", .noneOf([1, 2]), "forbidden"),
    integer("boolean", .boolean(true: 1, false: 0), "not-boolean"),
    RuleCase("isTrue", .isTrue, codes: ["not-true"], [true, false]),
    RuleCase("isFalse", .isFalse, codes: ["not-false"], [true, false]),
  ]

  private static func list(_ name: String, _ rule: Rule<[Int]>, _ codes: String...) -> RuleCase {
    RuleCase(name, rule, codes: Set(codes), NastyValues.lists)
  }

  private static let lists = [
    list("notEmptyList", .notEmptyList, "empty"), list("emptyList", .emptyList, "not-empty"),
    list("count", .count(2...3), "too-few", "too-many"),
    list("distinct", .distinct, "repeated"),
    list("elements allOf", .elements(allOf: [1, 2]), "not-allowed"),
    list("elements anyOf", .elements(anyOf: [1, 2]), "none-allowed"),
    list("elements noneOf", .elements(noneOf: [1, 2]), "forbidden"),
    list("elements notAllOf", .elements(notAllOf: [1, 2]), "all-forbidden"),
    list("each", .each(.atLeast(2)), "too-small"),
    list("any of none", .any(), "none-of-no-rules"),
    list("not", .not(.notEmptyList), "must-not"),
  ]

  private struct Pair: Sendable {
    var left = 1
    var right = 2
  }

  private static let others =
    [
      RuleCase(
        "fileType", .fileType([.png]), codes: ["wrong-file-type"], NastyValues.bytes),
      RuleCase("size", .size(1...9), codes: ["file-too-small", "file-too-big"], NastyValues.bytes),
      RuleCase("utf8", .utf8, codes: ["not-utf8"], NastyValues.bytes),
      RuleCase("required", Rule<Int>.pass.required, codes: ["required"], [nil, 1]),
      RuleCase("ifPresent", Rule<Int>.positive.ifPresent, codes: ["not-positive"], [nil, 1, -1]),
    ]
    + zip(
      Relation.allCases,
      ["differs-from", "same-as", "not-less-than", "more-than", "not-more-than", "less-than"]
    ).map { relation, code in
      RuleCase(
        "fields \(relation)", .fields(\Pair.left, "left", relation, \.right, "right"),
        codes: [code], [Pair(), Pair(left: 2), Pair(left: 3)])
    }
}
