/// Several things that happen to a model at once.
enum Interleaving {
  /// What may come of them, whichever goes on first at any time.
  static func outcomes(of lists: [[Action.Part]], from model: Model) -> [Model] {
    // The models by how many parts of each list they have behind them.
    var open: [[Int]: Set<Model>] = [Array(repeating: 0, count: lists.count): [model]]
    for _ in 0..<lists.reduce(0, { $0 + $1.count }) {
      var next: [[Int]: Set<Model>] = [:]
      for (places, models) in open {
        for index in lists.indices where places[index] < lists[index].count {
          var places = places
          let part = lists[index][places[index]]
          places[index] += 1
          for var model in models {
            part(&model)
            next[places, default: []].insert(model)
          }
        }
      }
      open = next
    }
    return open.values.flatMap { $0 }
  }
}
