#if CommandLine
  internal import FreshHTTP

  /// The proxies that the environment names.
  enum Proxies {
    static func ofEnvironment() throws(CommandFailure) -> ProxySettings {
      do throws(HTTPFetchError) {
        return try ProxySettings(variable: Process.variable)
      } catch {
        throw CommandFailure(.usage, "\(error)")
      }
    }
  }
#endif
