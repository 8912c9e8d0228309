/// What processes said of the records they changed, and so what may be there after they ended.
struct Ledger {
  /// How the processes ended.
  enum End {
    /// They were killed: what they said was done is done.
    case kill
    /// The power was cut: what they said was done durably is done, and what was done before it.
    case powerCut
  }

  private struct Account {
    /// The states that were said to be reached, from the last durable one on.
    var done = ["-"]
    /// Those that were begun since the last one was reached: one may have been.
    var begun: [String] = []
  }

  private var accounts: [String: Account] = [:]
  /// How many changes were acknowledged.
  private(set) var acknowledged = 0

  var keys: [String] { accounts.keys.sorted() }

  /// Takes down what a process has said: `begin KEY STATE`, `done KEY STATE` or `done KEY STATE durable`.
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

  /// What is wrong with a state that was found; `nil` when it may be, and is from now on what is there.
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
