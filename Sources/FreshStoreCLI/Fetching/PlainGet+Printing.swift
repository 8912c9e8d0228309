#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  extension PlainGet {
    /// Prints the copy if it is fresh; `nil` when it is not, and when anything is in the way: then it
    /// is as if nothing had been asked.
    ///
    /// Whether the source is in reach matters only to a copy that is stale, so nobody is asked about it
    /// here, and no thread is started.
    func printFresh() -> ExitStatus? {
      let value: [UInt8]
      do {
        guard let fresh = try freshValue() else { return nil }
        value = fresh
      } catch {
        // The long way comes to the same end, and says why.
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
      // What is wrong with the environment is wrong for a fresh copy, too.
      _ = try ReachabilityOverride.ofEnvironment()
      let path = try path ?? DefaultPath.find()
      let http = HTTPConfiguration(
        headers: try HeaderText.fields(headers),
        proxies: isOfCommand ? .none : try Proxies.ofEnvironment())
      try http.validate()
      return try FreshCopy.bytes(of: name.key, in: name.collection, at: path) {
        http.selects(variant: $0)
      }
    }
  }
#endif
