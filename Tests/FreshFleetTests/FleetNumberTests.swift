#if Fleet
  import FreshFleet
  import FreshStore
  import Strategies
  import Testing

  /// The ranges of a fleet's numbers; nothing is connected.
  @Suite struct FleetNumberTests {
    typealias Change = @Sendable (inout FleetConfiguration) -> Void

    static let durations: [Change] = [
      Duration(attoseconds: .max), .days(2), .zero, .nanoseconds(-1), Duration(attoseconds: .min),
    ].flatMap { bad -> [Change] in
      [
        { $0.limit = bad }, { $0.markLimit = bad }, { $0.connectLimit = bad },
        { $0.firstProbePause = bad }, { $0.longestProbePause = bad },
      ]
    }

    static let numbers: [Change] = [
      { $0.connections = 0 }, { $0.connections = .max }, { $0.failuresToOpen = 0 },
      { $0.failuresToOpen = .min }, { $0.sharedValueLimit = -1 },
    ]

    @Test func `a number outside its range is refused with words`() {
      for change in Self.durations + Self.numbers {
        var configuration = FleetConfiguration()
        change(&configuration)
        let error = #expect(throws: SharedTierError.self) {
          try FleetClient("postgres://db.example", configuration: configuration)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error.map { "\($0)".contains(" is ") && "\($0)".contains("; it ") } == true)
      }
      for limit in [Duration.zero, .days(2), Duration(attoseconds: .min)] {
        let error = #expect(throws: SharedTierError.self) {
          _ = try FleetAdministration("postgres://db.example", limit: limit)
        }
        #expect(error?.code == .invalidArgument)
      }
    }
  }
#endif
