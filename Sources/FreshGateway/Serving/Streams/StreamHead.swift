#if Gateway
  internal import FreshHTTP
  internal import NIOHPACK

  /// Reads the header section of a request on a stream of HTTP/2 (RFC 9113 section 8.3).
  struct StreamHead {
    /// True for a forward proxy: its requests name the address themselves, without a tunnel.
    let isProxy: Bool
    let limits: HeadLimits

    /// The values of the pseudo-fields.
    private struct Control {
      var method: String?
      var scheme: String?
      var authority: String?
      var path: String?

      /// False for a pseudo-field that is unknown or repeated.
      mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case ":method": Self.set(&method, value)
        case ":scheme": Self.set(&scheme, value)
        case ":authority": Self.set(&authority, value)
        case ":path": Self.set(&path, value)
        default: false
        }
      }

      private static func set(_ property: inout String?, _ value: String) -> Bool {
        guard property == nil else { return false }
        property = value
        return true
      }
    }

    /// Returns the request in the form of HTTP/1, without trusting any of it yet.
    func read(_ headers: HPACKHeaders) throws(RequestRefusal) -> IncomingRequest {
      var control = Control()
      var fields = HeaderFields()
      var cookie: String?
      var hasLostFields = false
      var size = 0
      for (name, value, _) in headers {
        size += name.utf8.count + value.utf8.count + 4
        guard size <= limits.bytes else { throw Self.tooLarge }
        try Self.check(value)
        if name.utf8.first != UInt8(ascii: ":"), UndecodedFields.isUndecoded(value) {
          // The library has replaced the field's bytes. Without such a field the request may use no copy, and its
          // response serves no other client. Without a condition, or a description of its body, it would be a different
          // request.
          guard !Self.isPartOfMeaning(name) else {
            throw .malformed("a field on which its meaning depends holds bytes that are not UTF-8")
          }
          hasLostFields = true
          continue
        }
        if name.utf8.first == UInt8(ascii: ":") {
          guard fields.lines.isEmpty, cookie == nil, control.set(name, value) else {
            throw .malformed("a pseudo-field is unknown, repeated, or behind a field")
          }
        } else if name == "cookie" {
          // The field may come in pieces (section 8.2.3), and other parsers would read only the first.
          if cookie == nil { cookie = value } else { cookie?.append("; \(value)") }
        } else {
          guard FieldSyntax.isToken(name), FieldSyntax.lowercased(name) == name else {
            throw .malformed("a field has no proper name in lower case")
          }
          fields.append(name, FieldText.text(Array(value.utf8)))
        }
      }
      if let cookie { fields.append("cookie", FieldText.text(Array(cookie.utf8))) }
      guard fields.lines.count <= limits.fields else { throw Self.tooLarge }
      var request = try request(control, fields)
      request.hasLostFields = hasLostFields
      return request
    }

    private static func isPartOfMeaning(_ name: String) -> Bool {
      name.hasPrefix("if-") || name.hasPrefix("content-")
        || ["authorization", "idempotency-key", "range"].contains(name)
    }

    /// Checks a field value (section 8.2.1).
    private static func check(_ value: String) throws(RequestRefusal) {
      guard FieldSyntax.isFieldValue(value),
        !(value.utf8.first.map(FieldSyntax.isWhitespace) ?? false),
        !(value.utf8.last.map(FieldSyntax.isWhitespace) ?? false)
      else { throw .malformed("a field has no proper value") }
    }

    private func request(
      _ control: Control, _ fields: HeaderFields
    ) throws(RequestRefusal) -> IncomingRequest {
      guard let method = control.method else { throw .malformed("there is no :method") }
      let fields = try withHost(control.authority, fields)
      if method == "CONNECT" {
        guard let authority = control.authority, control.scheme == nil, control.path == nil else {
          throw .malformed("CONNECT has an :authority, and neither :scheme nor :path")
        }
        return IncomingRequest(method, authority, version: .http2, fields: fields)
      }
      guard let scheme = control.scheme, ["http", "https"].contains(scheme) else {
        throw .malformed(":scheme is http or https")
      }
      let path = control.path ?? ""
      guard path.utf8.count <= limits.requestLine else {
        throw RequestRefusal(414, ":path is too long")
      }
      guard path.utf8.first == UInt8(ascii: "/") || path == "*" && method == "OPTIONS" else {
        throw .malformed(":path is a path")
      }
      guard path.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
        throw .malformed(":path holds bytes that are not visible ASCII; send them percent-encoded")
      }
      var target = path
      if isProxy, path != "*" {
        guard let host = fields.first("host") else { throw .malformed("there is no :authority") }
        target = "\(scheme)://\(host)\(target)"
      }
      return IncomingRequest(method, target, version: .http2, fields: fields)
    }

    /// Uses `:authority` as `Host`, and refuses a `Host` that contradicts it (section 8.3.1).
    private func withHost(
      _ authority: String?, _ fields: HeaderFields
    ) throws(RequestRefusal) -> HeaderFields {
      guard let authority else { return fields }
      let hosts = fields.values("host")
      guard hosts.allSatisfy({ FieldSyntax.equalIgnoringCase($0, authority) }) else {
        throw .malformed("Host is another one than :authority")
      }
      guard hosts.isEmpty else { return fields }
      var fields = fields
      fields.append("host", authority)
      return fields
    }

    private static let tooLarge = RequestRefusal(
      431, "the fields of the request are too long, or too many")
  }

  extension HPACKHeaders {
    /// The header section of an answer (RFC 9113 section 8.3.2). It omits fields that frames replace or that concern
    /// one connection.
    ///
    /// - Parameter date: The `Date` of an answer without one (RFC 9110 section 6.6.1).
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
      // It has no body whose length could be stated.
      add(fields.removing(["content-length"]))
    }

    /// The trailers behind the body.
    init(trailers: HeaderFields) {
      self.init()
      add(trailers)
    }

    private mutating func add(_ fields: HeaderFields) {
      for line in Self.text(fields).lines {
        let name = FieldSyntax.lowercased(line.name)
        // The library would end the stream for a field that it cannot send.
        guard !Self.ofConnection.contains(name), FieldSyntax.isToken(name),
          FieldSyntax.isFieldValue(line.value)
        else { continue }
        add(name: name, value: line.value, indexing: Self.indexing(of: name))
      }
    }

    /// Returns the fields whose values are text.
    private static func text(_ fields: HeaderFields) -> HeaderFields {
      guard fields.lines.contains(where: { FieldText.isOpaque($0.value) }) else { return fields }
      return UndecodedFields.removed(
        from: HeaderFields(
          fields.lines.map {
            HeaderFields.Line(name: $0.name, value: FieldText.replacingBytes($0.value))
          }))
    }

    /// How a field is compressed. Only fields with few values enter the connection's table. The client decides the size
    /// of this table, and a look-up takes time in proportion to it.
    private static func indexing(of name: String) -> HPACKIndexing {
      // Secrets enter no table, not even in an intermediary (RFC 7541 section 7.1.3).
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
