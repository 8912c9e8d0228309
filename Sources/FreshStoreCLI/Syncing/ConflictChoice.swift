#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// The winner when the source holds another change than the base of a local write.
  enum ConflictChoice: String, ExpressibleByArgument, CaseIterable {
    case park, server, client

    var policy: ConflictPolicy<[UInt8]> {
      switch self {
      case .park: .parks
      case .server: .serverWins
      case .client: .clientWins
      }
    }
  }
#endif
