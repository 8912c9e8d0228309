#if CommandLine
  internal import Reachability
  internal import Strategies

  extension Doctor {
    /// The kernel's view of the routes to sources, and the overrides of it.
    static func network(_ targets: [ReachabilityTarget]) -> [Finding] {
      [override] + targets.map { finding(of: $0) }
    }

    private static var override: Finding {
      let variable = ReachabilityOverride.variable
      do throws(CommandFailure) {
        guard let override = try ReachabilityOverride.ofEnvironment() else {
          return .ok("override", "\(variable) is not set: the kernel is asked")
        }
        guard override != .askReachability else {
          return .ok("override", "\(variable)=ask: the kernel is asked, for commands as well")
        }
        return .warning(
          "override",
          "\(variable)=\(override.rawValue): that, and not the kernel, is what a get goes by",
          "unset it unless it is meant")
      } catch {
        return .problem(
          "override", "every get fails: \(error.message ?? "\(variable) is wrong")",
          "unset it, or set it so")
      }
    }

    private static func finding(of target: ReachabilityTarget) -> Finding {
      let state = target.reachability()
      let words = "\(target.name): \(state) [\(target.monitor.method.rawValue)]"
      guard !target.isUnresolved || state.isProvablyOffline else {
        return .warning(
          "reachability", words,
          "see whether the name is right, and whether the name service answers")
      }
      return state.isProvablyOffline
        ? .warning(
          "reachability", "\(words): copies are served whatever their age, nothing is fetched",
          "bring the network up, or say --online where a source needs no route")
        : .ok("reachability", words)
    }
  }
#endif
