#if CommandLine
  internal import ArgumentParser

  /// What tells a command without a key from others, beside its program and its arguments.
  struct CommandKeyOptions: ParsableArguments {
    @Flag(
      help: """
        The output of a command without a key depends on the working directory: each directory has its \
        own copy.
        """)
    var cwd = false

    @Option(
      name: .customLong("env"),
      help: ArgumentHelp(
        """
        The output of a command without a key depends on this variable of the environment: each of its \
        values has its own copy. May be repeated.
        """, valueName: "name"))
    var variables: [String] = []

    func validate() throws {
      if variables.contains(where: { $0.isEmpty || $0.contains("=") }) {
        throw ValidationError("--env takes the name of a variable alone, such as --env KUBECONFIG")
      }
    }

    /// Refuses the options where they tell nothing apart.
    func check(hasKey: Bool, hasCommand: Bool) throws {
      guard cwd || !variables.isEmpty else { return }
      guard hasCommand else {
        throw ValidationError("--cwd and --env are for a command after --; leave them out")
      }
      guard !hasKey else {
        throw ValidationError(
          "--cwd and --env tell commands without a key apart; leave them out, or the key")
      }
    }

    /// The facts for a ``CommandLineIdentity``.
    var facts: [[UInt8]] {
      let folder = cwd ? [Array("cwd".utf8), ProgramPath.workingFolder] : []
      return folder
        + Set(variables).sorted().flatMap { name -> [[UInt8]] in
          let value = ProgramPath.variable(name)
          return [Array((value == nil ? "unset" : "env").utf8), Array(name.utf8), value ?? []]
        }
    }
  }
#endif
