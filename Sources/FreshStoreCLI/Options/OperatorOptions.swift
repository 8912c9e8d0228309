#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway

  /// What operators of a gateway see, and may do.
  struct OperatorOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Where operators, and nobody else, find /healthz, /metrics and /status. (default: nowhere)",
        valueName: "host:port"), transform: EndpointText.parse)
    var admin: GatewayOptions.Endpoint?

    @Option(
      help: ArgumentHelp(
        "Append a line for each request to this file; - for standard error. (default: no log, and with "
          + "--verbose standard error)", valueName: "file"), completion: .file())
    var log: String?

    @Flag(help: "Write the --log as JSON, a value a line.") var logJson = false

    @Option(
      help: ArgumentHelp(
        "Let those purge copies who have one of the tokens in this file, which only its owner may read. "
          + "(default: nobody)", valueName: "file"), completion: .file())
    var purgeTokenFile: String?

    @Flag(help: "Tell clients the key of each answer in Cache-Status.") var showKeys = false

    func validate() throws {
      guard !logJson || log != nil else {
        throw ValidationError("--log-json is for --log; name the file, or - for standard error")
      }
    }

    /// The log; `nil` where none is wanted.
    ///
    /// - Parameter isVerbose: True where standard error is to say what becomes of each request.
    func logFile(isVerbose: Bool) throws(CommandFailure) -> LogFile? {
      guard let log = log ?? (isVerbose ? "-" : nil) else { return nil }
      return try LogFile(log, logJson ? .json : .common)
    }

    /// Who may purge; `nil` for nobody.
    func tokenFile() throws(CommandFailure) -> TokenFile? {
      guard let purgeTokenFile else { return nil }
      return try TokenFile(purgeTokenFile)
    }
  }
#endif
