#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  extension PlainGet {
    /// Prints the copy if it is fresh; `nil` when it is not, or on any obstacle: then the call has
    /// had no effect.
    ///
    /// The reachability of the source matters only to a stale copy, so it is not checked here, and
    /// no thread is started.
    ///
    /// In a fleet others may have marked it.
    func printFresh() -> ExitStatus? {
      guard FleetAddress.ofEnvironment == nil else { return nil }
      let value: [UInt8]
      do {
        guard let fresh = try freshValue() else { return nil }
        value = fresh
      } catch {
        // The long way comes to the same result, and gives the reason.
        return nil
      }
      Process.ignoreBrokenPipes()
      do throws(CommandFailure) {
        try StandardOutput.value(value)
        return .served
      } catch {
        return error.told()
      }
    }

    private func freshValue() throws -> [UInt8]? {
      let name = try name
      // A faulty environment is an error for a fresh copy, too.
      _ = try ReachabilityOverride.ofEnvironment()
      let path = try path ?? StoreOptions.pathOfEnvironment ?? DefaultPath.find()
      let http = HTTPConfiguration(
        headers: try HeaderText.fields(headers),
        proxies: isOfCommand ? .none : try Proxies.ofEnvironment())
      try http.validate()
      let line = isOfCommand ? RawArguments.command.map { CommandLineIdentity($0) } : nil
      // What another command has printed is served, too, but not without a word.
      return try FreshCopy.bytes(of: name.key, in: name.collection, at: path) { content in
        http.selects(variant: content.variant) && line?.differs(from: content.metadata) != true
      }
    }
  }
#endif
