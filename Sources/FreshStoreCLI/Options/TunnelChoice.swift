#if CommandLine
  internal import ArgumentParser

  /// Whether a proxy makes tunnels.
  enum TunnelChoice: String, ExpressibleByArgument, CaseIterable {
    case refuse, allow

    /// The ports of a list as in `443,8443`.
    static func ports(_ text: String) throws -> Set<Int> {
      let words = text.split(separator: ",", omittingEmptySubsequences: false)
      let ports = words.compactMap { Int($0) }.filter { (1...65535).contains($0) }
      guard ports.count == words.count else {
        throw ValidationError("ports are numbers with commas between them, as in 443,8443")
      }
      return Set(ports)
    }
  }
#endif
