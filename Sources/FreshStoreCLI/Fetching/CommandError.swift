#if CommandLine
  internal import FreshStore
  internal import Platform

  /// The error of a command without a value. Its arguments, which may hold secrets, are not
  /// repeated.
  enum CommandError: Error {
    case exited(String, Int32)
    case signaled(String, Int32)
    case lost(String)
    case notRun(String, String)
    case notRead(String, String)
    case tooLarge(String, limit: Int)
  }

  extension CommandError: CustomStringConvertible {
    var description: String {
      switch self {
      case .exited(let name, let code): "\(name) ended with exit code \(code)"
      case .signaled(let name, let number): "\(name) was ended by signal \(number)"
      case .lost(let name): "nobody can tell how \(name) ended"
      case .notRun(let name, let words): "\(name) could not be run: \(words)"
      case .notRead(let name, let words): "the output of \(name) could not be read: \(words)"
      case .tooLarge(let name, let limit):
        "\(name) wrote more than \(ByteCount.words(limit)); raise --max-size to accept it"
      }
    }
  }
#endif
