/// A script whose steps can be taken out and made simpler one by one.
public protocol Shrinkable {
  /// One event.
  associatedtype Step
  /// The event.
  var steps: [Step] { get set }
  /// Simpler versions of a step, each with one thing removed.
  static func simplified(_ step: Step) -> [(inout Step) -> Void]
}

/// Removes the parts of a failing script that the failure does not need.
public struct Shrinker<Script: Shrinkable> {
  private let fails: (Script) -> Bool

  /// - Parameter fails: Whether a script still fails.
  public init(fails: @escaping (Script) -> Bool) {
    self.fails = fails
  }

  /// A script that still fails, and of which no step can be removed.
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
  /// A step that starts alone, or whose tasks run in the order of arrival.
  public static func simplified(_ step: Step) -> [(inout Step) -> Void] {
    [{ $0.joins = false }, { $0.luck = 0 }]
  }
}

extension HistoryScript: Shrinkable {
  /// A step that is not interrupted, or whose tasks run in the order of arrival.
  public static func simplified(_ step: HistoryStep) -> [(inout HistoryStep) -> Void] {
    [{ $0.cut = nil }, { $0.luck = 0 }]
  }
}
