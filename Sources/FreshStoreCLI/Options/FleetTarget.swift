#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore

  /// The fleet that a verb of `fleet` is for.
  struct FleetTarget: ParsableArguments {
    @Argument(
      help: ArgumentHelp(
        """
        The database: postgresql://user@host/database, or words as libpq has them, such as 'service=NAME'. \
        (default: --fleet, else $FRESHSTORE_FLEET)
        """, valueName: "uri"))
    var uri: String?

    @OptionGroup(title: "Fleet") var option: FleetOption

    func validate() throws {
      guard address != nil else {
        throw ValidationError(
          "say which database, as in 'freshstore fleet status postgresql://user@host/database', or set "
            + FleetAddress.variable)
      }
      if let uri, !uri.isEmpty, let other = option.fleet, !other.isEmpty, other != uri {
        throw ValidationError("two fleets are named; give the argument, or --fleet")
      }
    }

    /// The address of the database.
    var address: String? { uri.flatMap { $0.isEmpty ? nil : $0 } ?? option.address }

    /// The fleet's tables.
    func administration() throws(CommandFailure) -> FleetAdministration {
      do throws(SharedTierError) {
        return try FleetAdministration(
          address ?? "", limit: option.limit(.administering))
      } catch {
        throw CommandFailure(error)
      }
    }
  }
#endif
