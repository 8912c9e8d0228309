/// The requests of the command line.
struct Options {
  static let help = """
    usage: scripts/mutate [--sample N] [--seed S] [--thorough] [--file NAME] [folder ...]

      folder      what is mutated, as Sources/FreshStore/Gate; Sources/Strategies,
                  Sources/Reachability, Sources/FreshStore and Sources/Rules unless told
      --sample N  N mutants of each folder in the table, picked by the seed, instead of all
      --seed S    another pick (1)
      --thorough  what the quick suites let live is run against the slow ones, too
      --file NAME only mutants of files whose path has this in it; all others are built all the same
      --again     runs what survived the last run once more, against all of the quick suites
      --skip-build  takes the build of the last run as it is, which was of the same sources and folders
      --list      only says which mutants there are and do compile
    """

  var folders = [
    "Sources/Strategies", "Sources/Reachability", "Sources/FreshStore", "Sources/Rules",
  ]
  var sample: Int?
  var seed: UInt64 = 1
  var isThorough = false
  var isList = false
  var isAgain = false
  var skipsBuild = false
  var file: String?

  /// `nil` when the arguments make no sense.
  init?(_ arguments: [String]) {
    var folders: [String] = []
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--sample":
        guard let count = arguments.popFirst().flatMap({ Int($0) }), count > 0 else { return nil }
        sample = count
      case "--seed":
        guard let number = arguments.popFirst().flatMap({ UInt64($0) }) else { return nil }
        seed = number
      case "--file":
        guard let name = arguments.popFirst() else { return nil }
        file = name
      case "--thorough": isThorough = true
      case "--skip-build": skipsBuild = true
      case "--again": isAgain = true
      case "--list": isList = true
      case let folder where folder.hasPrefix("Sources/"):
        folders.append(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
      default: return nil
      }
    }
    if !folders.isEmpty { self.folders = folders }
  }
}
