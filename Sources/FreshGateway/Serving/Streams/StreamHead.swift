#if Gateway
  internal import FreshHTTP
  internal import NIOHPACK

  /// The head of a request on a stream of HTTP/2 (RFC 9113 section 8.3).
  struct StreamHead {
    /// True for one that does not go through a tunnel of its own, but names where it goes: a forward proxy's.
    let isProxy: Bool
    let limits: HeadLimits

    /// What pseudo-fields say.
    private struct Control {
      var method: String?
      var scheme: String?
      var authority: String?
      var path: String?

      /// False for one that is not known, or comes twice.
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

    /// The request as one of HTTP/1 would be, before anything in it is believed.
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
          // The library has replaced its bytes. Without the field the request is for no copy, and its answer for no
          // other client; without a condition, or what its content is, it would be another request.
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
          // Section 8.2.3: it may come in pieces, of which others would read the first alone.
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

    /// Section 8.2.1.
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

    /// Section 8.3.1: `:authority` stands in for `Host`, and does not contradict it.
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
