@testable import Command

/// The laws that reading the command's configuration file keeps for any text.
enum SettingsLaws {
  /// The laws for bytes as the text of a file.
  static func check(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    for home in [nil, "/home/user"] {
      guard let options = read(text, home: home) else { continue }
      for option in options { check(option, home: home) }
      law("options are in the order of their lines", isRising(options.map(\.line)))
      let again = read(written(options), home: home) ?? []
      law("as many options are read as were written", again.count == options.count)
      for (first, second) in zip(options, again) {
        law("an option is read as it was written", isSame(first, second))
      }
    }
  }

  private static func check(_ option: SettingsText.Option, home: String?) {
    law("an option has a name", !option.name.isEmpty && !option.name.hasPrefix("-"))
    law("a verb is one", option.verb.isEmpty || isVerb(option.verb))
    law(
      "only the store and the fleet are for every verb",
      !option.verb.isEmpty || ["db", "fleet"].contains(option.name))
    law("a store has a whole path", option.name != "db" || option.value?.first == "/")
    law("the user's folder is named", home == nil || option.value?.hasPrefix("~/") != true)
  }

  // MARK: Writing

  /// The options as a file has them. No character merges with the tabs around a text.
  private static func written(_ options: [SettingsText.Option]) -> String {
    var (text, verb) = ("", "")
    for option in options {
      if option.verb != verb { text += "[\t\(option.verb)\t]\n" }
      verb = option.verb
      text += option.name + (option.value.map { "\t=\t\($0)" } ?? "") + "\n"
    }
    return text
  }

  private static func isSame(
    _ first: SettingsText.Option, _ second: SettingsText.Option
  ) -> Bool {
    first.verb == second.verb && first.name == second.name && first.value == second.value
  }

  // MARK: Reading

  private static func isVerb(_ name: String) -> Bool { ["get", "outbox list"].contains(name) }

  private static func isRising(_ numbers: [Int]) -> Bool {
    zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  private static func read(_ text: String, home: String?) -> [SettingsText.Option]? {
    do throws(SettingsText.Problem) {
      return try SettingsText(text, home: home, isVerb: isVerb).options
    } catch {
      let lines = text.count(where: \.isNewline) + 1
      law("a problem is in a line of the text", (0..<lines).contains(error.line))
      law("a problem does nothing to a terminal", error.words.isHarmless)
      return nil
    }
  }
}
