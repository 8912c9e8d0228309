#if CommandLine
  /// One check and its result.
  struct Finding: Encodable, Sendable {
    /// The result, the worst last.
    enum Level: String, Encodable, Sendable, CaseIterable, Comparable {
      case ok
      case warning
      case problem

      static func < (left: Level, right: Level) -> Bool { left.order < right.order }

      private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// A stable name of the check.
    let check: String
    let level: Level
    /// The result, and its meaning.
    let message: String
    /// The next step; `nil` when there is nothing to do.
    let advice: String?

    private init(_ check: String, _ level: Level, _ message: String, _ advice: String?) {
      self.check = check
      self.level = level
      self.message = Console.printable(message)
      self.advice = advice.map(Console.printable)
    }

    static func ok(_ check: String, _ message: String) -> Finding {
      Finding(check, .ok, message, nil)
    }

    static func warning(_ check: String, _ message: String, _ advice: String) -> Finding {
      Finding(check, .warning, message, advice)
    }

    static func problem(_ check: String, _ message: String, _ advice: String) -> Finding {
      Finding(check, .problem, message, advice)
    }

    /// The finding in one line.
    var line: String {
      let color: Color =
        switch level {
        case .ok: .green
        case .warning: .yellow
        case .problem: .red
        }
      return color.applied(to: level.rawValue.padded(to: 9)) + check.padded(to: 14) + message
        + (advice.map { "; \($0)" } ?? "")
    }
  }
#endif
