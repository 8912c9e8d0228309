#if CommandLine
  import NetworkStates

  extension NetworkWalk {
    /// The name under which the hosts file of the walk knows a source with several addresses.
    private static let name = "origin.test"

    /// The target of the source for the command.
    var target: String { addresses.count == 1 ? addresses[0] : Self.name }

    /// The contents of `/etc/hosts` in the namespace of the walk.
    var hosts: String { addresses.map { "\($0) \(Self.name)\n" }.joined() }

    /// The output of a watch from its start on: the present state, and each change. It may report more
    /// than once that the source is offline, for another cause.
    var watchedCodes: [String] {
      codes.reduce(into: ["offline"]) { told, code in
        if told.last != code { told.append(code) }
      }
    }

    /// The walk as a script of the shell for an empty namespace, with the files `hosts` and `lines`,
    /// a named pipe, in the folder at hand.
    ///
    /// One watch follows the whole walk; after each change of the state the script waits until the watch
    /// reports it. In each state the command is run once more. The command is run behind `prefix`.
    /// A line of output is `watched`, a dash and the output of the watch, or `asked`, an exit code and
    /// the output of the command.
    func script(runningBehind prefix: String) -> String {
      let command = "\(prefix) freshstore reachability --json \(target)"
      return """
        set -e
        follow() {
          while read -r line <&3; do
            printf 'watched - %s\\n' "$line"
            case $line in *'"state":"'$1'"'*) break ;; esac
          done
        }
        ask() { code=0; line=$(\(command)) || code=$?; printf 'asked %s %s\\n' "$code" "$line"; }
        mount --bind hosts /etc/hosts
        \(settings.map { "echo \($1) > /proc/sys/net/\($0)" }.joined(separator: "\n"))
        \(preparation.map { "ip \($0)" }.joined(separator: "\n"))
        \(command) --watch > lines &
        exec 3< lines
        follow offline
        \(steps)
        kill $!
        follow end

        """
    }

    private var steps: String {
      var last = "offline"
      return states.map { state in
        let follow = state.code == last ? [] : ["follow \(state.code)"]
        last = state.code
        return (state.lines.map { "ip \($0)" } + follow + ["ask"]).joined(separator: "\n")
      }.joined(separator: "\n")
    }
  }
#endif
