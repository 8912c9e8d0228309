#if CommandLine
  internal import Strategies

  /// How long a call waits for the fleet, its connection included, where `--fleet-limit` does not say: the one table,
  /// from which the help is made.
  enum FleetPatience: CaseIterable {
    /// A program that asks a few times and ends.
    case asking
    /// One that stays: its connections stand, and its callers wait.
    case staying
    /// One that marks: whoever makes a mark wants it made.
    case marking
    /// A look at how well the fleet answers.
    case looking
    /// Work on the tables.
    case administering

    var limit: Duration {
      switch self {
      case .asking: .milliseconds(250)
      case .staying: .milliseconds(50)
      case .marking: .seconds(5)
      case .looking: .seconds(5)
      case .administering: .seconds(30)
      }
    }

    private var verbs: String {
      switch self {
      case .asking: "get, explain, sweep, sync run --once"
      case .staying: "sync run, serve"
      case .marking: "mark, remove --mark, retry, fleet marks"
      case .looking: "doctor"
      case .administering: "fleet"
      }
    }

    /// How long a program that asks a few times takes in what a long absence has left, once the fleet answers.
    static let longestNews = Duration.seconds(2)

    /// The table, for the help.
    static var words: String {
      allCases.map { "\($0.verbs): \($0.limit.brief.replacing(" ", with: ""))" }
        .joined(separator: "; ")
    }
  }
#endif
