/// A script whose steps can be taken out and made simpler one by one.
public protocol Shrinkable {
  /// One thing that happens.
  associatedtype Step
  /// What happens.
  var steps: [Step] { get set }
  /// A step with one thing less to it each.
  static func simplified(_ step: Step) -> [(inout Step) -> Void]
}

/// Takes out of a failing script what the failure does not need.
public struct Shrinker<Script: Shrinkable> {
  private let fails: (Script) -> Bool

  /// - Parameter fails: Whether a script still fails.
  public init(fails: @escaping (Script) -> Bool) {
    self.fails = fails
  }

  /// A script that still fails, and of which no step can be taken out.
  public func shrunk(_ script: Script) -> Script {
    var script = script
    var chunk = max(1, script.steps.count / 2)
    while true {
      let before = script.steps.count
      script = withoutChunks(of: chunk, in: script)
      if chunk == 1, script.steps.count == before { break }
      chunk = max(1, chunk / 2)
    }
    for index in script.steps.indices { simplify(index, of: &script) }
    return script
  }

  private func withoutChunks(of size: Int, in script: Script) -> Script {
    var script = script
    var end = script.steps.count
    while end > 0 {
      let start = max(0, end - size)
      var shorter = script
      shorter.steps.removeSubrange(start..<end)
      if fails(shorter) { script = shorter }
      end = start
    }
    return script
  }

  private func simplify(_ index: Int, of script: inout Script) {
    for simplify in Script.simplified(script.steps[index]) {
      var simpler = script
      simplify(&simpler.steps[index])
      if fails(simpler) { script = simpler }
    }
  }
}

extension Script: Shrinkable {
  /// One that begins alone, or whose tasks run in the order in which they came.
  public static func simplified(_ step: Step) -> [(inout Step) -> Void] {
    [{ $0.joins = false }, { $0.luck = 0 }]
  }
}

extension HistoryScript: Shrinkable {
  /// One that is not cut in two, or whose tasks run in the order in which they came.
  public static func simplified(_ step: HistoryStep) -> [(inout HistoryStep) -> Void] {
    [{ $0.cut = nil }, { $0.luck = 0 }]
  }
}
