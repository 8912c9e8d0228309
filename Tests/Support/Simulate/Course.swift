import Simulation

/// A script of either kind.
enum Course {
  /// Compared step by step with a model.
  case steps(Script)
  /// Judged by its history.
  case history(HistoryScript)

  /// The field that distinguishes the two kinds.
  enum Kind: String, CaseIterable {
    case steps, histories
  }

  /// A deliberate mistake.
  struct Mistake {
    var model: Flaw?
    var source: HistoryFlaw?

    init(_ name: String?) {
      (model, source) = (name.flatMap(Flaw.init), name.flatMap(HistoryFlaw.init))
    }
  }

  init(_ kind: Kind, seed: UInt64) {
    self =
      switch kind {
      case .steps: .steps(Script(seed: seed))
      case .histories: .history(HistoryScript(seed: seed))
      }
  }

  /// Reads the output of ``text``.
  init(text: String) throws {
    do {
      self = .history(try HistoryScript(text: text))
    } catch {
      self = .steps(try Script(text: text))
    }
  }

  var kind: Kind { if case .steps = self { .steps } else { .histories } }

  var length: Int {
    switch self {
    case .steps(let script): script.steps.count
    case .history(let script): script.steps.count
    }
  }

  var text: String {
    get throws {
      switch self {
      case .steps(let script): try script.text
      case .history(let script): try script.text
      }
    }
  }

  func finding(_ mistake: Mistake) -> Finding? {
    switch self {
    case .steps(let script): Simulation.finding(script, flaw: mistake.model)
    case .history(let script): HistoryRun.finding(script, flaw: mistake.source)
    }
  }

  /// A script that still fails, and for a history in the same way: one defect may hide
  /// others.
  func shrunk(_ finding: Finding, _ mistake: Mistake) -> Course {
    switch self {
    case .steps(let script):
      .steps(Shrinker { Simulation.finding($0, flaw: mistake.model) != nil }.shrunk(script))
    case .history(let script):
      .history(
        Shrinker { HistoryRun.finding($0, flaw: mistake.source)?.kind == finding.kind }
          .shrunk(script))
    }
  }

  /// The same with values around this size, in bytes, where their size is not what it is about.
  func withLargeValues(_ size: Int?) -> Course {
    guard let size else { return self }
    switch self {
    case .steps(var script):
      script.setting.largeValues = size
      return .steps(script)
    case .history(var script):
      if script.setting.isLoose != true, script.setting.trouble != .isTooLarge {
        script.setting.largeValues = size
      }
      return .history(script)
    }
  }

  /// The same without operations of these names, and without the effects of settings of these names.
  func without(_ names: Set<String>) -> Course {
    guard case .history(var script) = self, !names.isEmpty else { return self }
    script.steps.removeAll { step in
      let name = Mirror(reflecting: step.operation).children.first?.label ?? "\(step.operation)"
      return names.contains(name)
    }
    if names.contains("twins") { script.setting.hasTwins = false }
    if names.contains("trouble") { script.setting.trouble = nil }
    if names.contains("fleet") { script.setting.fleet = nil }
    return .history(script)
  }
}
