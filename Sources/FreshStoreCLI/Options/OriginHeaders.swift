#if CommandLine
  internal import FreshHTTP

  /// The headers that are private to this user and an origin: those of a headers file, and the login for
  /// its host.
  struct OriginHeaders: Sendable {
    let file: HeadersFile?
    let logins: NetrcFile?

    /// True when no origin has any.
    var isEmpty: Bool { file == nil && logins == nil }

    /// Those for one address, and others that the user has given for it.
    func fields(to url: URLText, and others: HeaderFields = HeaderFields()) -> HeaderFields {
      let own = file?.fields[url.origin] ?? HeaderFields()
      var fields = HeaderFields(own.lines + others.lines)
      logins?.authorize(&fields, for: url.host)
      return fields
    }
  }
#endif
