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
      // Arguments that are not plain, or are wrong, are left to the parser.
      if let get = try? PlainGet(whole), let status = get.printFresh() {
        Process.exit(status)
      }
      // A command is no argument of ours: its verb takes it as it is.
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

    /// Like the parser's own `main`, but its messages about arguments, which it repeats, have no
    /// effect on a terminal, and each end is one of the process alone.
    ///
    /// The end of a C program runs the clean-up of its libraries. A thread may still be in one of them, as when it opens
    /// a connection to a fleet that nobody waits for. Nothing of ours is left to be written then.
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
        // Help, for one, is no failure and goes to standard output.
        guard !code.isSuccess else { Process.exit(tell(words)) }
        // In the same form as every other message.
        let told = words.hasPrefix("Error: ") ? "freshstore: " + words.dropFirst(7) : words
        if !told.isEmpty { Console.say(told) }
        if isConfigured, code == .validationFailure {
          Console.note(
            "options of the configuration file count, too; FRESHSTORE_CONFIG= leaves it out")
        }
        Process.exit(code: code.rawValue)
      }
    }

    /// Prints what is no failure.
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
