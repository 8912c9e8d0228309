/// The command line: `[--port N] [--log]`.
struct Options {
  /// A word that is no option, or an option without its value.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var port = 0
  private(set) var logs = false

  init(_ arguments: some Sequence<String>) throws(Refusal) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--log": logs = true
      case "--port":
        guard let port = rest.next().flatMap(UInt16.init) else {
          throw Refusal(description: "--port needs a number from 0 to 65535")
        }
        self.port = Int(port)
      default:
        throw Refusal(description: "'\(argument)' is unknown; usage: [--port N] [--log]")
      }
    }
  }
}
