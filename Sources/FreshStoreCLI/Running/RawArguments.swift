#if CommandLine
  internal import ArgumentParser

  // Only glibc passes them on: musl calls such a function without any.
  #if canImport(Glibc)
    private typealias PassedStrings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// What the system has passed to this program, noted before anything else runs, and then left alone: by then there
    /// is one thread, so that no lock is needed, nor would one be there yet.
    nonisolated(unsafe) private var passedCount: Int32 = 0
    nonisolated(unsafe) private var passedStrings: PassedStrings? = nil

    private func notePassed(
      _ count: Int32, _ strings: PassedStrings?, _ environment: PassedStrings?
    ) {
      unsafe (passedCount, passedStrings) = unsafe (count, strings)
    }

    /// The loader calls what stands in this section, with the arguments of `main`
    /// (https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html). Swift finds them by way of the environment,
    /// which a preloaded library may have moved, or of `/proc`, which may be missing.
    @section(".init_array") @used
    private let notesPassed: @convention(c) (Int32, PassedStrings?, PassedStrings?) -> Void =
      unsafe notePassed
  #endif

  /// The arguments as the system passed them: Swift repairs invalid UTF-8, and two different keys
  /// must not become one.
  enum RawArguments {
    /// Every argument, the program's name first.
    static let all: [[UInt8]] = {
      #if canImport(Glibc)
        let (count, strings) = unsafe (passedCount, passedStrings)
      #else
        let (count, strings) = unsafe (CommandLine.argc, Optional(CommandLine.unsafeArgv))
      #endif
      guard let strings = unsafe strings else { return [] }
      return (0..<Int(count)).map { index in
        guard let argument = unsafe strings[index] else { return [] }
        var bytes: [UInt8] = []
        var position = 0
        while unsafe argument[position] != 0 {
          unsafe bytes.append(UInt8(bitPattern: argument[position]))
          position += 1
        }
        return bytes
      }
    }()

    /// The same as text; ``problem(runsCommand:)`` says where they are none.
    static var texts: [String] { all.map { String(decoding: $0, as: UTF8.self) } }

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
