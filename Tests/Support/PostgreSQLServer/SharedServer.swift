/// The one server of a process's tests, started when the first of them needs it.
package actor SharedServer {
  package static let one = SharedServer()
  private var started: Task<PostgreSQLServer, any Error>?

  package func server() async throws -> PostgreSQLServer {
    if let started { return try await started.value }
    let task = Task { try await PostgreSQLServer() }
    started = task
    return try await task.value
  }
}
