#if CommandLine
  internal import ArgumentParser

  /// The arguments as the system passed them: Swift repairs invalid UTF-8, and two different keys
  /// must not become one.
  enum RawArguments {
    /// Every argument, the program's name first.
    static let all: [[UInt8]] = {
      (0..<Int(CommandLine.argc)).map { index in
        guard let argument = unsafe CommandLine.unsafeArgv[index] else { return [] }
        var bytes: [UInt8] = []
        var position = 0
        while unsafe argument[position] != 0 {
          unsafe bytes.append(UInt8(bitPattern: argument[position]))
          position += 1
        }
        return bytes
      }
    }()

    /// The command after the first `--`, for a verb that runs one; `nil` without a `--`.
    static var command: [[UInt8]]? { terminator.map { Array(all[($0 + 1)...]) } }

    /// Throws where a `--` has no command behind it.
    static func validateCommand() throws(ValidationError) {
      if let command, command.first?.isEmpty ?? true {
        throw ValidationError("the command after -- is empty; name a program")
      }
    }

    private static var terminator: Int? { all.firstIndex(of: Array("--".utf8)) }

    /// Their fault; `nil` when there is none. The arguments of a command to run may be any bytes.
    ///
    /// - Parameter runsCommand: True for a verb that runs what stands after `--`.
    static func problem(runsCommand: Bool) -> String? {
      let checked = runsCommand ? all.prefix(terminator.map { $0 + 2 } ?? all.count) : all[...]
      for (position, argument) in checked.enumerated().dropFirst()
      where String(validating: argument, as: UTF8.self) == nil {
        return "argument \(position) is not UTF-8; keys, paths and options are text in UTF-8"
      }
      return nil
    }
  }
#endif
