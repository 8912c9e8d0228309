import Platform

/// One process of a host of a fleet, for tests that need several hosts with several processes each.
///
/// `FleetWorker DATABASE address=WORDS shelf=FILE [host=NAME] [skew=SECONDS] [lease=MS] [limit=MS]` opens the store,
/// prints `ready`, and executes each line, which it answers with one; see `FleetLoop`. Its wall clock is `skew` seconds
/// ahead.
@main
struct FleetWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    var options: [String: String] = [:]
    for argument in arguments.dropFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { options[parts[0]] = parts[1] }
    }
    #if Fleet
      guard let path = arguments.first, let host = FleetHost(path, options) else {
        print("usage: FleetWorker DATABASE address=WORDS shelf=FILE [NAME=VALUE…]")
        exit(64)
      }
      try await FleetLoop.run(host)
    #else
      say("built without the trait Fleet")
      exit(69)
    #endif
  }

  static func say(_ words: String) {
    print(words)
    fflush(nil)
  }
}
