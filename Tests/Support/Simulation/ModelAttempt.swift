/// A question to the source of the model, for one key or several.
struct ModelAttempt {
  let id: Int
  /// One for each key.
  var flights: [ModelFlight]

  var question: SimulatedSource.Question {
    .init(
      store: flights[0].store,
      copies: flights.map { .init(key: $0.key, value: $0.copy) }.sorted { $0.key < $1.key },
      isBySync: flights[0].isBySync)
  }
}
