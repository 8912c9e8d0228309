#if CommandLine
  internal import FreshStore

  /// The gets of one call. Several run at a time, and the values come in the order of the arguments.
  struct GetRun: Sendable {
    let gets: [SingleGet]
    let display: GetDisplay
    /// True when a program that is started later can repeat this call.
    let canStartAgain: Bool
    /// True when no other program, such as a command, writes to the terminal.
    let showsProgress: Bool

    private static let width = 8

    /// Gets and shows every value, then refreshes stale copies in the background. A get that fails ends no other. The
    /// status is that of the first failure.
    func run() async throws {
      var first: CommandFailure?
      var (changed, behind): (Bool, [SingleGet]) = (false, [])
      try await withThrowingTaskGroup(of: Arrival.self) { group in
        var (begun, arrived): (Int, [Int: Result<SingleGet.Outcome, any Error>]) = (0, [:])
        for place in gets.indices {
          while begun < min(gets.count, place + Self.width) {
            begin(begun, &group)
            begun += 1
          }
          let words = "fetching \(Console.quoted(key: gets[place].name.key))"
          while arrived[place] == nil,
            let arrival = try await waiting(words, { try await group.next() })
          {
            arrived[arrival.place] = arrival.result
          }
          guard let result = arrived.removeValue(forKey: place) else { return }
          do {
            let outcome = try result.get()
            if outcome.answer.needsRefresh { behind.append(gets[place]) }
            try display.show(outcome, of: gets[place])
            changed = true
          } catch {
            let failure = try display.failure(error, of: gets[place].name)
            if failure.status == .unchanged { continue }
            // An interrupted run says nothing about unfinished gets.
            if Task.isCancelled { throw CommandFailure(failure.status) }
            if gets.count > 1, failure.told() == .brokenPipe { throw failure }
            first = first ?? failure
          }
        }
      }
      try await refresh(behind)
      if let first {
        throw gets.count > 1 ? CommandFailure(first.status) : first
      }
      if display.onlyIfChanged, !changed { throw CommandFailure(.unchanged) }
    }

    private func waiting<Result>(
      _ words: String, _ work: () async throws -> Result
    ) async rethrows -> Result {
      showsProgress ? try await Console.whileWorking(words, work) : try await work()
    }

    private struct Arrival: Sendable {
      let place: Int
      let result: Result<SingleGet.Outcome, any Error>
    }

    private func begin(_ place: Int, _ group: inout ThrowingTaskGroup<Arrival, any Error>) {
      let get = gets[place]
      group.addTask {
        do {
          return Arrival(place: place, result: .success(try await get.outcome()))
        } catch {
          return Arrival(place: place, result: .failure(error))
        }
      }
    }

    private func refresh(_ behind: [SingleGet]) async throws {
      if canStartAgain {
        if let get = behind.first, try !get.isInFlight() { BackgroundRefresh.start() }
        return
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for get in behind { group.addTask { try await get.refreshHere() } }
        try await group.waitForAll()
      }
    }
  }

  /// A background refresh of a copy that was already printed.
  ///
  /// It is this program once more, in a session of its own, without the open files of this process. This process does
  /// not wait for it.
  enum BackgroundRefresh {
    /// The internal flag that makes a get a background refresh.
    static let flag = "refresh-behind"

    /// Starts the refresh, or reports why it does not run.
    static func start() {
      // The flag goes after the options of this program, because a command may follow.
      let given = RawArguments.all
      let end = given.firstIndex(of: Array("--".utf8)) ?? given.endIndex
      let arguments = given[..<end] + [Array("--\(flag)".utf8)] + given[end...]
      do throws(Descriptor.Failure) {
        // This process does not wait: the refresh outlives it, and the result is not needed.
        _ = try ChildProgram(Process.executablePath, Array(arguments), output: nil, in: .session)
      } catch {
        Console.note("the refresh behind could not be started: \(error.words)")
      }
    }
  }
#endif
