#if CommandLine
  internal import Reachability
  internal import FreshStore
  internal import Strategies

  /// One run of `freshstore top`.
  struct Top {
    /// The ways to show frames.
    enum Manner {
      /// One frame as plain text.
      case plain
      /// One JSON object.
      case object
      /// JSON objects, one per line, repeatedly.
      case objects
      /// Frames on the terminal's alternate screen, repeatedly.
      case screen
    }

    let store: Store
    let interval: Duration
    private let meter: ChangeMeter
    private let counter: RecordCounter

    init(_ store: Store, every interval: Duration) {
      self.store = store
      self.interval = interval
      meter = ChangeMeter()
      counter = RecordCounter(store, meter)
    }

    func run(_ manner: Manner) async throws {
      switch manner {
      case .plain:
        try await counter.count(rests: false)
        for line in try frame().lines() { try StandardOutput.line(line) }
      case .object:
        try await counter.count(rests: false)
        try StandardOutput.json(try frame())
      case .objects: try await following { try await printObjects() }
      case .screen: try await following { try await show() }
      }
    }

    private func frame() throws -> TopFrame {
      TopFrame(
        path: store.path, try store.quickStatistics(), counter.totals, meter.take(),
        RouteMonitor.shared.reachability())
    }

    /// Runs the body while changes are counted.
    private func following(_ body: @escaping @Sendable () async throws -> Void) async throws {
      // The changes begin before the count, because the counts do not have later changes.
      let changes = store.changes()
      let meter = meter
      do {
        try await Self.together(
          { for await change in changes { meter.count(change) } },
          body)
      } catch is CancellationError {
        // A signal has ended the run; the session returns its code.
      }
    }

    /// Runs all works until the first one ends.
    private static func together(
      _ works: @Sendable () async throws -> Void...
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for work in works { group.addTask { try await work() } }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    private func repeatedly(_ work: @Sendable () async throws -> Void) async throws {
      while true {
        try await work()
        try await SystemClock().sleep(for: interval)
      }
    }

    private func printObjects() async throws {
      try await counter.count(rests: false)
      try await Self.together(
        { try await repeatedly { try StandardOutput.json(try frame()) } },
        { try await repeatedly { try await counter.refresh() } })
    }

    // MARK: The terminal

    private func show() async throws {
      let screen = Screen()
      try screen.open()
      defer { screen.close() }
      // The screen is closed at once, and not only when the present work has ended.
      try await withTaskCancellationHandler {
        try await draw(on: LiveView(screen))
      } onCancel: {
        screen.close()
      }
    }

    /// Draws at each interval, at each change of size and after the first count, until the user leaves.
    private func draw(on view: LiveView) async throws {
      try await Self.together(
        { try await TerminalEvents.follow { try view.redraw() } },
        { try await repeatedly { try view.show(frame) } },
        {
          try await counter.refresh()
          try view.show(frame)
          try await repeatedly { try await counter.refresh() }
        })
    }
  }
#endif
