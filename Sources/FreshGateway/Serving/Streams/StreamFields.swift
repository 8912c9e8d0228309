#if Gateway
  internal import FreshHTTP
  internal import NIOHPACK

  extension HPACKHeaders {
    /// The head of an answer (RFC 9113 section 8.3.2), without what its frames say or is of one connection.
    ///
    /// - Parameter date: The `Date` of an answer that has none (RFC 9110 section 6.6.1).
    init(_ status: Int, _ fields: HeaderFields, date: @autoclosure () -> String) {
      self.init()
      reserveCapacity(fields.lines.count + 2)
      add(name: ":status", value: "\(status)")
      add(fields)
      if fields.first("Date") == nil {
        add(name: "date", value: date(), indexing: .nonIndexable)
      }
    }

    /// An informational answer.
    init(interim status: Int, _ fields: HeaderFields) {
      self.init()
      add(name: ":status", value: "\(status)")
      // It has no content that a length could be of.
      add(fields.removing(["content-length"]))
    }

    /// What stands behind the content.
    init(trailers: HeaderFields) {
      self.init()
      add(trailers)
    }

    private mutating func add(_ fields: HeaderFields) {
      for line in Self.text(fields).lines {
        let name = FieldSyntax.lowercased(line.name)
        // A library that is told more than it can send would end the stream.
        guard !Self.ofConnection.contains(name), FieldSyntax.isToken(name),
          FieldSyntax.isFieldValue(line.value)
        else { continue }
        add(name: name, value: line.value, indexing: Self.indexing(of: name))
      }
    }

    /// The fields that text can hold.
    private static func text(_ fields: HeaderFields) -> HeaderFields {
      guard fields.lines.contains(where: { FieldText.isOpaque($0.value) }) else { return fields }
      return UndecodedFields.removed(
        from: HeaderFields(
          fields.lines.map {
            HeaderFields.Line(name: $0.name, value: FieldText.replacingBytes($0.value))
          }))
    }

    /// How a field is compressed. Only fields of few values go into the table of a connection: the client decides how
    /// large that may grow, and each look-up takes as long as it is large.
    private static func indexing(of name: String) -> HPACKIndexing {
      // RFC 7541 section 7.1.3: what is secret is in no table, on the way either.
      if name == "set-cookie" { return .neverIndexed }
      return ofFewValues.contains(name) ? .indexable : .nonIndexable
    }

    private static let ofFewValues: Set = [
      "accept-ranges", "cache-control", "content-encoding", "content-language", "content-type",
      "server", "strict-transport-security", "vary", "via", "x-content-type-options",
      "x-frame-options",
    ]

    /// Section 8.2.2.
    private static let ofConnection: Set = [
      "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]
  }
#endif
