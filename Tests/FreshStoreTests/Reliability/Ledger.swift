/// The statements of processes about their changes, and the states that are possible after their end.
struct Ledger {
  /// The end of the processes.
  enum End {
    /// They were killed: changes reported as done are done.
    case kill
    /// The power was cut: changes reported as durable are done, and all changes before them.
    case powerCut
  }

  private struct Account {
    /// The reported states, from the last durable one on.
    var done = ["-"]
    /// The states that were begun since the last one was reached: one may have been reached.
    var begun: [String] = []
  }

  private var accounts: [String: Account] = [:]
  /// The number of acknowledged changes.
  private(set) var acknowledged = 0

  var keys: [String] { accounts.keys.sorted() }

  /// Records the statement of a process: `begin KEY STATE`, `done KEY STATE` or `done KEY STATE durable`.
  mutating func note(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 3 else { return }
    var account = accounts[words[1]] ?? Account()
    if words[0] == "begin" {
      account.begun.append(words[2])
    } else if words[0] == "done" {
      account.done = words.count > 3 ? [words[2]] : account.done + [words[2]]
      account.begun = []
      acknowledged += 1
    }
    accounts[words[1]] = account
  }

  /// The error in an observed state; `nil` when it is possible, and becomes the present state.
  mutating func complaint(_ key: String, _ found: String, after end: End) -> String? {
    guard let account = accounts[key] else { return "\(key) is there, and nobody stored it" }
    accounts[key] = Account(done: [found])
    let allowed: [String] =
      switch end {
      case .kill: account.done.suffix(1) + account.begun
      case .powerCut: account.done + account.begun
      }
    return allowed.contains(found) ? nil : "\(key) is \(found), not one of \(allowed)"
  }
}
