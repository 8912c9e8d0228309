#if CommandLine
  internal import ArgumentParser
  internal import Synchronization

  /// Progress on standard error: a bar on a terminal, a line now and then elsewhere.
  final class ProgressMeter: Sendable {
    private let isQuiet: Bool
    private let pause: Duration
    private let shown: Mutex<ContinuousClock.Instant?>

    /// - Parameter pause: The time between two lines without a terminal, and before the first. Short work prints
    ///   nothing, so that cron sends no mail for it.
    init(isQuiet: Bool, pause: Duration) {
      self.isQuiet = isQuiet
      self.pause = Process.errorIsTerminal ? .milliseconds(100) : pause
      shown = Mutex(Process.errorIsTerminal ? nil : .now)
    }

    /// True when progress is shown; otherwise callers need not count for it.
    var isWanted: Bool { !isQuiet }

    /// Shows that `done` of `total` are done, unless it was shown a moment ago.
    func show(_ text: String, _ done: Int, of total: Int) {
      guard isWanted, isDue() else { return }
      if Process.errorIsTerminal {
        Console.progress("\(Self.bar(done, of: total)) \(text)")
      } else {
        Console.note(text)
      }
    }

    /// Ends one kind of work: removes the bar, so that the next kind begins with its own.
    func end() {
      guard isWanted, Process.errorIsTerminal else { return }
      shown.withLock { $0 = nil }
      Console.endProgress()
    }

    private func isDue() -> Bool {
      let now = ContinuousClock.now
      return shown.withLock { shown in
        if let shown, now - shown < pause { return false }
        shown = now
        return true
      }
    }

    /// `[#####---------------]  25 %`
    static func bar(_ done: Int, of total: Int) -> String {
      let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
      let width = 20
      let full = Int(share * Double(width))
      let percent = "\(Int(share * 100))"
      return "[" + String(repeating: "#", count: full)
        + String(repeating: "-", count: width - full) + "] "
        + String(repeating: " ", count: 3 - percent.count) + percent + " %"
    }
  }

  /// The options for reports of progress.
  struct ProgressOptions: ParsableArguments {
    @Flag(
      name: .shortAndLong,
      help: "Report failures only; --json still prints its object.")
    var quiet = false
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Report progress this often where standard error is no terminal. (default: 5s)",
        valueName: "duration"),
      transform: DurationText.span)
    var progressEvery: Duration = .seconds(5)

    var meter: ProgressMeter { ProgressMeter(isQuiet: quiet, pause: progressEvery) }
  }
#endif
