#if CommandLine
  internal import ArgumentParser

  @main
  enum Main {
    static func main() async {
      Descriptor.occupyStandard()
      Process.silenceDispatch()
      Process.expectChildren()
      if let problem = Process.problemOfVariables {
        Console.note(problem)
        Process.exit(.usage)
      }
      let reordered = ShortOptions.spelledOut(Verb.reordered(RawArguments.texts))
      if let problem = FleetAddress.problem(of: reordered) {
        Console.note(problem)
        Process.exit(.usage)
      }
      let whole: [String]
      do throws(CommandFailure) {
        whole = try Settings.applied(to: reordered)
      } catch {
        Process.exit(error.told())
      }
      // The full parser handles arguments that are not plain, or are wrong.
      if let get = try? PlainGet(whole), let status = get.printFresh() {
        Process.exit(status)
      }
      // A command is no argument of this program: the verb passes it on unchanged.
      let runsCommand = Verb.runsCommand(whole)
      let arguments = runsCommand ? Array(whole.prefix { $0 != "--" }) : whole
      if let problem = RawArguments.problem(runsCommand: runsCommand) ?? Verb.problem(of: arguments)
      {
        Console.note(problem)
        Process.exit(.usage)
      }
      if BashCompletion.isRequested {
        Process.exit(BashCompletion.printScript())
      }
      do throws(CommandFailure) {
        try Preflight.check()
      } catch {
        Process.exit(error.told())
      }
      await run(Array(arguments.dropFirst()), isConfigured: whole != reordered)
    }

    /// Runs the verb, like the parser's own `main`, with two differences.
    ///
    /// - Messages about arguments repeat them, so that control characters are made harmless for a terminal.
    /// - The process exits without the clean-up of C libraries. A thread may still be in one of them, for example to
    ///   open a connection to a fleet. All output is written by then.
    private static func run(_ arguments: [String], isConfigured: Bool) async -> Never {
      do {
        var command = try FreshStoreCommand.parseAsRoot(arguments)
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
        Process.exit(.served)
      } catch {
        let code = FreshStoreCommand.exitCode(for: error)
        let words = FreshStoreCommand.fullMessage(for: error)
        // Help, for example, is no failure and goes to standard output.
        guard !code.isSuccess else { Process.exit(tell(words)) }
        // Every message has the same form.
        let told = words.hasPrefix("Error: ") ? "freshstore: " + words.dropFirst(7) : words
        if !told.isEmpty { Console.say(told) }
        if isConfigured, code == .validationFailure {
          Console.note(
            "options of the configuration file count, too; FRESHSTORE_CONFIG= leaves it out")
        }
        Process.exit(code: code.rawValue)
      }
    }

    /// Prints a text that is no failure, such as the help.
    private static func tell(_ words: String) -> ExitStatus {
      do throws(CommandFailure) {
        if !words.isEmpty { try StandardOutput.line(words) }
        return .served
      } catch {
        return error.told()
      }
    }
  }
#else
  @main
  enum Main {
    static func main() {
      print("freshstore was built without its command line; build it with the trait CommandLine")
    }
  }
#endif
