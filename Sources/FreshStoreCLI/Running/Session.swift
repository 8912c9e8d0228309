internal import ArgumentParser
internal import FreshStore

/// One run of a verb: everything that may go wrong in it ends here, as a line on standard error and
/// an exit code.
enum Session {
  static func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
    Process.ignoreBrokenPipes()
    do {
      try await Interruption().run(body)
    } catch let failure as CommandFailure {
      throw end(failure)
    } catch let error as StoreError {
      throw end(CommandFailure(error))
    }
  }

  private static func end(_ failure: CommandFailure) -> ExitCode {
    if let message = failure.message { Console.note(message) }
    return failure.status.code
  }
}
