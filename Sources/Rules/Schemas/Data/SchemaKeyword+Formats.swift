extension SchemaKeyword {
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
