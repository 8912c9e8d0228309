#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  extension CopyReport {
    /// The output of `explain --json`.
    ///
    /// - Parameter failing: The failures of their origin, from the file; `nil` for none.
    static func fields(
      of copies: [CopyReport], _ action: String, failing: Backlog.Origin? = nil
    ) -> JSONFields {
      [
        "action": action, "copies": copies.map(\.fields), "originFailures": failing?.failures,
        "originFailure": failing?.failure,
      ]
    }

    /// The copies for people, one per line.
    static func lines(
      of copies: [CopyReport], _ action: String, by gateway: String = "a gateway",
      failing: Backlog.Origin? = nil
    ) -> [String] {
      var lines = ["\(gateway) would: \(action)"]
      if let failing {
        let failed =
          failing.failures == 1
          ? "the last request to its origin has failed"
          : "its origin has failed \(failing.failures) times in a row"
        lines.append(
          "\(failed) (\(failing.failure)): a gateway that leaves it alone for a while answers "
            + "from a copy that may stand in, and asks nobody; 'freshstore retry' with the address ends that"
        )
      }
      return (lines + copies.map(\.line)).map(Console.printable)
    }

    private var fields: JSONFields {
      [
        "key": key, "status": status, "size": size, "isWhole": isWhole, "age": age.inSeconds,
        "freshFor": freshFor.inSeconds, "lifetimeSource": lifetimeSource?.rawValue,
        "graceWhileRevalidating": graceWhileRevalidating?.inSeconds,
        "graceWithoutAnswer": graceWithoutAnswer?.inSeconds,
        "graceOnServerError": graceOnServerError?.inSeconds, "mark": mark, "entityTag": entityTag,
        "lastModified": lastModified, "variesBy": variesBy, "isSelected": isSelected,
      ]
    }

    /// One copy for people; keys may hold control characters.
    var line: String {
      let time =
        freshFor > .zero
        ? "fresh for \(freshFor.brief)" : "stale for \((Duration.zero - freshFor).brief)"
      let freshness = time + lifetime
      let facts = [
        "\(status)", isWhole ? "\(size) bytes" : "\(size) bytes of it", "age \(age.brief)",
        mark.map { "marked: \($0)" } ?? freshness, graces, entityTag.map { "entity tag \($0)" },
        lastModified.map { "last modified \($0)" },
        variesBy.isEmpty ? nil : "varies by \(variesBy.joined(separator: ", "))",
        isSelected ? nil : "not for this request",
      ]
      return "copy \(key): \(facts.compactMap(\.self).joined(separator: "; "))"
    }

    /// The source of the lifetime, when it is not the origin.
    private var lifetime: String {
      switch lifetimeSource {
      case nil, .answer?: ""
      case .expiry?: " by --expiry"
      case .expiryAbsent?: " by --expiry-absent"
      case .heuristic?: " by the time since its last change"
      }
    }

    /// How long past its lifetime a gateway may use the copy.
    private var graces: String {
      let graces = [
        graceWhileRevalidating.map { "\(Self.words($0)) while it is renewed" },
        graceWithoutAnswer.map { "\(Self.words($0)) where no answer comes" },
        graceOnServerError.map { "\(Self.words($0)) in place of an error" },
      ].compactMap(\.self)
      return graces.isEmpty ? "not used stale" : "used stale \(graces.joined(separator: ", "))"
    }

    /// The greatest number that a field can hold means any longer time.
    private static func words(_ grace: Duration) -> String {
      grace >= .seconds(DeltaSeconds.greatest) ? "without limit" : "for \(grace.brief)"
    }
  }

  /// The options that the gateway of the copies was started with.
  struct GatewayCopyOptions: ParsableArguments {
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "As for the gateway (freshstore serve): how long past its freshness a copy of it may stand in.",
        valueName: "duration"), transform: DurationText.span)
    var maxStale: Duration?

    var options: GatewayOptions {
      var options = GatewayOptions()
      options.maximumStaleness = maxStale
      return options
    }
  }
#endif
