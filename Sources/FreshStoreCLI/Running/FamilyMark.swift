#if CommandLine
  internal import Platform

  /// A variable of the environment that identifies a program and its descendants: they inherit it,
  /// also where they outlive their parent.
  struct FamilyMark: Sendable {
    /// Its form in an environment.
    let bytes: [UInt8]

    private static let mostBytes = 1 << 20

    init() {
      bytes = Array("FRESHSTORE_RUN=\(getpid()).\(UInt64.random(in: 0 ... .max))".utf8)
    }

    /// The processes that have it and can be inspected (proc(5)); none where there is no `/proc`.
    var members: [pid_t] { Descriptor.numbers(in: "/proc").filter(has) }

    private func has(_ process: pid_t) -> Bool {
      do throws(Descriptor.Failure) {
        let environment = try Descriptor.read(
          path: "/proc/\(process)/environ", limit: Self.mostBytes)
        return environment.split(separator: 0).contains { $0.elementsEqual(bytes) }
      } catch {
        // It has ended, or is another user's.
        return false
      }
    }
  }
#endif
