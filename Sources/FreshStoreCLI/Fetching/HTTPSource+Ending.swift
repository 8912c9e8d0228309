#if CommandLine
  internal import FreshHTTP

  extension HTTPSource {
    /// How long connections may take to end.
    private static let patience = Duration.milliseconds(250)

    /// Ends the requests under way in all of the sources, in parallel.
    ///
    /// A connection that is still being made ends with its own time limit. The program is about to
    /// end, and has something to report first: it does not wait for that, and the connection ends
    /// with it.
    static func end(_ sources: [HTTPSource]) async {
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      Task {
        await withDiscardingTaskGroup { group in
          for source in sources { group.addTask { await source.close() } }
        }
        end.finish()
      }
      Task {
        // It is never cancelled.
        try? await Task.sleep(for: patience)
        end.finish()
      }
      // In a task of its own, which is not cancelled: connections that can end in order do.
      await Task { for await _ in ends {} }.value
    }
  }
#endif
