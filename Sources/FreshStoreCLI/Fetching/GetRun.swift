#if CommandLine
  internal import FreshStore

  /// The gets of one call: several at a time, their values in the order of the arguments.
  struct GetRun: Sendable {
    let gets: [SingleGet]
    let display: GetDisplay
    /// True when a program that is started later can do what this one does.
    let canStartAgain: Bool
    /// True where nobody else writes to the terminal, as a command might.
    let showsProgress: Bool

    private static let width = 8

    /// Gets everything and shows it, and refreshes what is to be refreshed behind. A get that fails ends
    /// no other; the first failure is the status of all.
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
            // An interrupted run says nothing of what it did not finish.
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

  /// The refresh behind a copy that was already printed: this program once more, in a session of
  /// its own, without the open files of this one, and not waited for.
  enum BackgroundRefresh {
    /// The flag that makes a get one; for internal use.
    static let flag = "refresh-behind"

    /// Starts it, or reports why it does not run.
    static func start() {
      // Behind everything that is ours: a command may follow.
      let given = RawArguments.all
      let end = given.firstIndex(of: Array("--".utf8)) ?? given.endIndex
      let arguments = given[..<end] + [Array("--\(flag)".utf8)] + given[end...]
      do throws(Descriptor.Failure) {
        // Never waited for: it outlives this process, and its result is not needed.
        _ = try ChildProgram(Process.executablePath, Array(arguments), output: nil, in: .session)
      } catch {
        Console.note("the refresh behind could not be started: \(error.words)")
      }
    }
  }
#endif
