#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP

  /// The options for connections to http and https sources, with the names that curl uses.
  struct ConnectionOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        Trust the issuers of certificates in this PEM file, and not the system's. (default: \
        $SSL_CERT_FILE, else the system's)
        """, valueName: "file"),
      completion: .file())
    var cacert: String?

    @Option(
      help: ArgumentHelp(
        "Show the certificate in this PEM file, with those of its issuers, to a source that asks for one.",
        valueName: "file"),
      completion: .file())
    var cert: String?

    @Option(
      help: ArgumentHelp(
        "The private key of --cert, not encrypted. (default: in the same file)", valueName: "file"),
      completion: .file())
    var key: String?

    @Flag(
      help: """
        Verify no certificate. Anyone on the way can read what is sent and answer in the source's place, \
        and such an answer is kept like any other.
        """)
    var insecure = false

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long connecting may take, within the time of the whole. (default: 10s)",
        valueName: "duration"),
      transform: DurationText.positive)
    var connectTimeout: Duration?

    @Option(help: ArgumentHelp("The most redirects to follow. (default: 5)", valueName: "count"))
    var maxRedirs: Int?

    @Option(
      help: ArgumentHelp(
        """
        Repeat a fetch so often, within its time, while it fails for want of a connection or with 408, \
        429, 500, 502, 503 or 504: after 1 s, 2 s, 4 s and so on, or when the source says.
        """, valueName: "count"))
    var retry = 0

    @Flag(
      help: """
        Send the login that ~/.netrc has for the host, over http as well, as curl does, but never along \
        a redirect to another origin. An Authorization header that was given goes first.
        """)
    var netrc = false

    @Option(
      help: ArgumentHelp("The same from this file, which only you can read.", valueName: "file"),
      completion: .file())
    var netrcFile: String?

    @Option(
      help: ArgumentHelp(
        """
        Connect to this Unix socket, whatever host is named, without a proxy; it needs no network, and its \
        copies answer no other requests.
        """,
        valueName: "path"),
      completion: .file())
    var unixSocket: String?

    func validate() throws {
      if insecure, cacert != nil {
        throw ValidationError("--insecure trusts everybody; leave it or --cacert out")
      }
      if key != nil, cert == nil {
        throw ValidationError("--key is for --cert; name the certificate, too")
      }
      guard retry >= 0, maxRedirs ?? 0 >= 0 else {
        throw ValidationError("--retry and --max-redirs must be 0 or more")
      }
    }

    /// True when one of the options is given.
    var isUsed: Bool {
      !files.isEmpty || insecure || connectTimeout != nil || maxRedirs != nil || retry > 0 || netrc
        || unixSocket != nil
    }

    /// The files that the options name; a process that is started later reads them again.
    var files: [String] { [cacert, cert, key, netrcFile].compactMap(\.self) }

    /// Applies the options to requests. The ``logins()`` are left out, because they depend on the host.
    ///
    /// - Parameter connects: False when nothing is sent, so that no issuer has to be trusted.
    func apply(
      to configuration: inout HTTPConfiguration, connects: Bool = true
    ) throws(CommandFailure) {
      for path in [connects ? cacert : nil, cert, key].compactMap(\.self) { try Self.check(path) }
      configuration.trust = trust
      if connects, let problem = problemOfVariable {
        Console.note("\(problem) (SSL_CERT_FILE); no source with https is trusted")
        (configuration.trust, configuration.lacksIssuers) = (.system, true)
      }
      configuration.socketPath = unixSocket
      configuration.retries = retry
      if let connectTimeout { configuration.connectTimeout = connectTimeout }
      if let maxRedirs { configuration.maximumRedirects = maxRedirs }
      try CommandFailure.usage { () throws(HTTPFetchError) in
        if let cert {
          configuration.clientCertificate = try ClientCertificate(path: cert, keyPath: key)
        }
        try configuration.validate()
      }
    }

    /// The logins to send; `nil` without the options.
    func logins() throws(CommandFailure) -> NetrcFile? {
      if let netrcFile { return try NetrcFile(path: netrcFile) }
      guard netrc else { return nil }
      return try NetrcFile(path: NetrcFile.defaultPath)
    }

    /// The sources of many origins. Each origin gets its own headers, and the login for its host.
    func sources(_ headers: HeadersOption) throws(CommandFailure) -> OriginSources {
      var template = HTTPConfiguration(proxies: try Proxies.ofEnvironment())
      try apply(to: &template)
      return try OriginSources(
        template, headers: OriginHeaders(file: try headers.read(), logins: try logins()))
    }

    private var trust: TrustRoots {
      insecure ? .insecure : issuers.map { TrustRoots.files([$0]) } ?? .system
    }

    /// The file of the issuers to trust; `nil` for the system's issuers, or for no verification.
    private var issuers: String? {
      if insecure { return nil }
      return cacert ?? Process.variable("SSL_CERT_FILE").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Why the file that SSL_CERT_FILE names cannot be read; `nil` when it can be.
    ///
    /// The variable is for all programs. Unlike a file that is named for this call, it does not matter to requests
    /// without a certificate.
    private var problemOfVariable: String? {
      guard cacert == nil, let issuers else { return nil }
      do throws(CommandFailure) {
        try Self.check(issuers)
        return nil
      } catch {
        return error.message
      }
    }

    /// Fails for a file that cannot be read. Its content is checked when a source is made.
    private static func check(_ path: String) throws(CommandFailure) {
      do throws(Descriptor.Failure) {
        try Descriptor.check(path)
      } catch {
        throw CommandFailure(
          .inputOutput, "the file \(path.debugDescription) cannot be read: \(error.words)")
      }
    }
  }
#endif
