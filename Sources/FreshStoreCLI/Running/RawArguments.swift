#if CommandLine
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

    /// Their fault; `nil` when there is none. The arguments of a command to run may be any bytes.
    static var problem: String? {
      let terminator = all.firstIndex(of: Array("--".utf8)) ?? all.count
      let isGet = all.count > 1 && all[1] == Array("get".utf8)
      let checked = isGet ? all.prefix(terminator + 2) : all[...]
      for (position, argument) in checked.enumerated().dropFirst()
      where String(validating: argument, as: UTF8.self) == nil {
        return "argument \(position) is not UTF-8; keys, paths and options are text in UTF-8"
      }
      return nil
    }

    /// The last arguments.
    static func last(_ count: Int) -> [[UInt8]] { Array(all.suffix(count)) }
  }
#endif
