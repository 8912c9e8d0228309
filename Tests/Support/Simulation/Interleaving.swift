/// Several concurrent events in a model.
enum Interleaving {
  private struct State: Hashable {
    /// The number of finished parts of each list.
    var places: [Int]
    var model: Model
  }

  /// The possible results of them, and of the errands that they leave, in every order.
  ///
  /// - Parameter others: The possible actions of others before a flight is over.
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
      // Without further steps the moment of an answer does not matter.
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
  /// The possible results of the remaining errands.
  func withErrandsDone() -> [Model] {
    errands.isEmpty ? [self] : Interleaving.outcomes(of: [], from: self)
  }
}
