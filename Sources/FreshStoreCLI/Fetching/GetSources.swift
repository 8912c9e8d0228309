#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  /// The sources of one call: its command, or a source for each URL. The sources of URLs share one event loop.
  final class GetSources: Sendable {
    private let command: CommandSource?
    private let freshness: FreshnessOptions
    private let headers: OriginHeaders
    private let header: [String]
    private let tags: Set<String>?
    private let isVerbose: Bool
    private let template: HTTPConfiguration
    /// The first source, which is made when a URL needs one.
    private let common: HTTPSource?

    init(_ options: GetCommand, _ command: [[UInt8]], for names: [RecordName]) throws {
      self.command =
        command.isEmpty
        ? nil
        : CommandSource(
          command, CommandLineIdentity(command, options.commandKey.facts),
          maximumSize: options.admission.maxSize, tags: options.labels.tags)
      (freshness, header) = (options.freshness, options.header)
      headers = OriginHeaders(
        file: try options.headers.read(), logins: try options.connection.logins())
      tags = options.labels.tags
      isVerbose = options.store.verbose
      var template = HTTPConfiguration(
        proxies: command.isEmpty ? try Proxies.ofEnvironment() : .none)
      let needsSource = command.isEmpty && names.contains { $0.url != nil }
      if needsSource { try options.connection.apply(to: &template) }
      template.timeout = options.timeout
      template.connectTimeout = min(template.connectTimeout, options.timeout)
      template.maximumBodyBytes = options.admission.maxSize
      self.template = template
      common = try CommandFailure.usage { () throws(HTTPFetchError) in
        needsSource ? try HTTPSource(template) : nil
      }
    }

    /// The request settings of a URL.
    func configuration(for name: RecordName) throws -> HTTPConfiguration {
      try freshness.configuration(for: name, headers, and: header, template)
    }

    /// The source of a record.
    func source(of name: RecordName, among keys: [String]) throws -> GetSource {
      if let command { return .command(command) }
      guard name.url != nil, let common else {
        return .none(Self.advice(on: name.key, among: keys))
      }
      let configuration = try configuration(for: name)
      return .url(
        name.key,
        try CommandFailure.usage { () throws(HTTPFetchError) in try common.with(configuration) },
        tags: tags, isVerbose: isVerbose)
    }

    /// Advice for a key that has no source and no copy.
    static func advice(on key: String, among keys: [String]) -> String {
      let isHost =
        key.contains(".") && !key.contains(" ") && !key.hasPrefix("/") && !key.contains(":/")
      let words =
        "\(Console.quoted(key: key)) is no http or https URL, and nothing is stored under it"
      if keys.count > 1, keys.first == key {
        let rest = keys.dropFirst().map { Console.printable($0) }.joined(separator: " ")
        return "\(words); a command goes after --: "
          + "freshstore get \(Console.printable(key)) -- \(rest)"
      }
      return "\(words); to fetch it, write 'freshstore get "
        + (isHost ? "https://\(Console.printable(key))" : "URL")
        + "' or 'freshstore get KEY -- COMMAND ARGUMENT ...'"
    }

    /// Returns when no request or command in flight is worth waiting for.
    func close() async {
      if let common { await HTTPSource.end([common]) }
      await command?.ended()
    }
  }

  /// The origin that a get fetches from.
  enum GetSource: Sendable {
    case url(String, HTTPSource, tags: Set<String>?, isVerbose: Bool)
    case command(CommandSource)
    /// No source: only the copy can answer. The text says what to do when there is none.
    case none(String)

    func fetch(_ previous: Previous<[UInt8]>) async throws -> Fetched<[UInt8]> {
      switch self {
      case .url(let url, let source, let tags, let isVerbose):
        try await source.fetch(url, previous: previous).mapDetails { details in
          details.tags = tags ?? details.tags
          if isVerbose, details.isExpiryGuessed, let expiry = details.expiry {
            Console.note(
              "\(Console.quoted(key: url)): the response states no lifetime; by its Last-Modified it "
                + "holds for \(expiry.words), a tenth of the time since then; --expiry says otherwise"
            )
          }
        }
      case .command(let source):
        try await source.fetch()
      case .none: throw CommandFailure(.usage, "there is nothing to fetch from")
      }
    }
  }
#endif
