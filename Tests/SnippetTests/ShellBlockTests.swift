#if CommandLine
  import OriginServer
  import Testing

  /// Every `sh` block of a page runs, and prints what the `text` block after it shows. One below the
  /// comment `<!-- not run: why -->` is only shown.
  ///
  /// Every command is a process of its own, so the suite is serialized.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct ShellBlockTests {
    @Test(arguments: Page.paths)
    func `every shell block of a page runs, and prints what the page shows`(
      page: String
    ) async throws {
      var examples = try Page(page).shellExamples
      let database = try await PageDatabase(for: examples)
      if database == nil { examples.removeAll(where: \.isOfFleet) }
      guard !examples.isEmpty else { return }
      let origin = try await PageOrigin.start()
      let session = try await ShellSession(
        running: examples.map(\.commands), port: origin.port, database: database)
      await origin.stop()
      let isWhole = session.status == 0
      for (example, output) in zip(examples, session.outputs.dropLast(isWhole ? 0 : 1)) {
        guard let shown = example.output else { continue }
        #expect(ComparableOutput(output) == ComparableOutput(shown), "\(example.commands)")
      }
      if !isWhole, let output = session.outputs.last {
        let commands = examples[session.outputs.count - 1].commands
        Issue.record("exit code \(session.status) of\n\(commands)\nwhich printed\n\(output)")
      }
    }

    @Test(arguments: Page.paths) func `a block for a shell is called sh`(page: String) throws {
      let others = ["bash", "console", "shell", "shell-session", "zsh"]
      for block in try Page(page).blocks { #expect(!others.contains(block.language)) }
    }
  }
#endif
