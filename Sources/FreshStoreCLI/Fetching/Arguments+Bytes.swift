#if CommandLine
  internal import Subprocess

  extension Arguments {
    /// Arguments of any bytes but NUL. The library takes them with the NUL that ends them for the
    /// system; without it, it reads on.
    init(program: [UInt8], _ arguments: [[UInt8]]) {
      self.init(
        executablePathOverride: program + [0], remainingValues: arguments.map { $0 + [0] })
    }
  }
#endif
