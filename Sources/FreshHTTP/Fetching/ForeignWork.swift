/// Work of the application inside a request, which may ignore cancellation.
enum ForeignWork {
  /// The result of a closure, which runs in a task of its own; `nil`, at once, when this task is cancelled
  /// first: the closure is then cancelled, and its result is lost.
  static func result<Value: Sendable>(
    of work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error>? {
    let (stream, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
    let task = Task {
      do {
        continuation.yield(.success(try await work()))
      } catch {
        continuation.yield(.failure(error))
      }
      continuation.finish()
    }
    defer { task.cancel() }
    for await result in stream { return result }
    return nil
  }
}
