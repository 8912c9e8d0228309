/// Takes out of a failing script what the failure does not need.
public struct Shrinker {
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
    var simpler = script
    simpler.steps[index].joins = false
    if fails(simpler) { script = simpler }
    simpler = script
    simpler.steps[index].luck = 0
    if fails(simpler) { script = simpler }
  }
}
