import Dispatch

/// Runs `body` to its end: libFuzzer's own thread cannot await.
func waiting(for body: @escaping @Sendable () async throws -> Void) {
  let end = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      try await body()
    } catch {
      law("nothing fails that may not: \(error)", false)
    }
    end.signal()
  }
  end.wait()
}
