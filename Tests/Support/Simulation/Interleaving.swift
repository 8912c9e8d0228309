/// Several things that happen to a model at once.
enum Interleaving {
  private struct State: Hashable {
    /// How many parts of each list are done.
    var places: [Int]
    var model: Model
  }

  /// What may come of them, and of the errands that they leave, whichever goes on first at any time.
  ///
  /// - Parameter others: What others may do before somebody has flown.
  static func outcomes(
    of lists: [[Action.Part]], from model: Model, others: (Model) -> [Model] = { _ in [] }
  ) -> [Model] {
    var open = [State(places: Array(repeating: 0, count: lists.count), model: model)]
    var seen: Set<State> = []
    var done: Set<Model> = []
    while var state = open.popLast() {
      while let errand = state.model.settledErrand { state.model.run(errand) }
      guard seen.insert(state).inserted else { continue }
      let left = lists.indices.filter { state.places[$0] < lists[$0].count }
      for index in left {
        var next = state
        next.places[index] += 1
        lists[index][state.places[index]](&next.model)
        open.append(next)
      }
      // Where nothing else is to come, it does not matter when an answer is told.
      let answer = left.isEmpty ? state.model.errands.first(where: state.model.isAnswer) : nil
      for errand in answer.map({ [$0] }) ?? Array(state.model.errands) {
        var next = state
        next.model.run(errand)
        open.append(next)
      }
      if state.model.isAnybodyToFly {
        open += others(state.model).map { State(places: state.places, model: $0) }
      }
      if left.isEmpty, state.model.errands.isEmpty { done.insert(state.model) }
    }
    return Array(done)
  }
}

extension Model {
  /// What may come of the errands that are left.
  func withErrandsDone() -> [Model] {
    errands.isEmpty ? [self] : Interleaving.outcomes(of: [], from: self)
  }
}
