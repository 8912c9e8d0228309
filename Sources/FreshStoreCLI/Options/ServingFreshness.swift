#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway

  /// How long copies of a gateway are fresh where their answers do not say so, and who may ask for newer ones.
  struct ServingFreshness: ParsableArguments {
    @Option(
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        """
        How long a copy is fresh whose answer does not say how long (no max-age, s-maxage or Expires): 30s, or for these \
        paths alone '/api/*=5m'; * stands for any characters, and the first that fits counts, before one without a path. \
        It is for 200, 203, 204, 206, 300, 301 and 308, and with --origin one with a path is for 302, 303 and 307, too. \
        It overrides nothing that forbids to keep an answer, or to use it without asking. Repeatable. (default: a tenth of \
        the time since Last-Modified, or not at all)
        """, valueName: "pattern=duration"), transform: ServingFreshness.lifetime)
    var expiry: [AssumedLifetimes.Entry] = []

    @Option(
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "The same for answers with 404, 405, 410, 414 and 501. Repeatable. (default: as for others without --expiry)",
        valueName: "pattern=duration"), transform: ServingFreshness.lifetime)
    var expiryAbsent: [AssumedLifetimes.Entry] = []

    @Option(
      help: ArgumentHelp(
        """
        Answer reloads of these paths from fresh copies, too: '/*' for all. What clients ask for by no-cache, max-age or \
        min-fresh in Cache-Control, or by Pragma, is then no reason to ask the origin. Repeatable. (default: it is)
        """, valueName: "pattern"), transform: PatternText.parse)
    var ignoreReload: [AddressPattern] = []

    private static func lifetime(_ text: String) throws -> AssumedLifetimes.Entry {
      guard !PatternText.isList(text) else { throw ValidationError(PatternText.oneAtATime) }
      // A pattern may have such a sign, and a duration never.
      guard let separator = text.utf8.lastIndex(of: UInt8(ascii: "=")) else {
        return AssumedLifetimes.Entry(nil, try DurationText.span(text))
      }
      return AssumedLifetimes.Entry(
        try PatternText.parse(String(text[..<separator])),
        try DurationText.span(String(text[text.utf8.index(after: separator)...])))
    }

    func apply(to options: inout GatewayOptions) {
      options.lifetimes.found = expiry
      options.lifetimes.absent = expiryAbsent
      options.ignoredReloads = ignoreReload
    }
  }
#endif
