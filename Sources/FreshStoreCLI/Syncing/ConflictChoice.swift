#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// Who wins when the source holds another change than a local write was made upon.
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
