#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools

  /// A command line that is being typed, and the word that is to be completed.
  struct CompletionQuestion {
    /// The words, without quotes.
    private let words: [String]
    private let index: Int
    /// The required beginning of answers.
    let prefix: String

    /// - Parameters:
    ///   - words: The words as the shell has them, with their quotes.
    ///   - index: The position of the word that is being completed.
    ///   - typed: The part of that word before the cursor.
    init(_ words: [String], _ index: Int, _ typed: String) {
      self.words = words.map(Self.unquoted)
      self.index = index
      prefix = Self.unquoted(typed)
    }

    /// Asks, and brings the answers into the form that the shell expects. A name with an effect on
    /// the terminal is left out.
    func answers(_ ask: (StoredNames, _ prefix: String) -> [String]) -> [String] {
      guard let path else { return [] }
      let answers = ask(StoredNames(of: path), prefix).filter { $0 == Console.printable($0) }
      return answers.map(Self.quoted)
    }

    /// An answer in the form that the shell takes for the answer itself.
    private static func quoted(_ answer: String) -> String {
      switch CompletionShell.requesting {
      // It expands completions, command substitutions included, except in single quotes.
      case .bash: "'" + answer.replacing("'", with: "'\\''") + "'"
      // It takes the text after a colon for a description.
      case .zsh: answer.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
      default: answer
      }
    }

    /// The value that an option has on the line; `nil` when it has none.
    func value(of option: String) -> String? {
      for (position, word) in words.enumerated() where position != index {
        if word == option, position + 1 < words.count, position + 1 != index {
          return words[position + 1]
        }
        if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      }
      return nil
    }

    /// The word before the one that is completed.
    var wordBefore: String? {
      guard index > 0, index <= words.count else { return nil }
      return words[index - 1]
    }

    private var path: String? {
      if let path = value(of: "--db") {
        guard path.hasPrefix("~/"), let home = Process.variable("HOME") else { return path }
        return home + path.dropFirst()
      }
      // A user without a folder has no store, and a faulty configuration names none.
      return StoreOptions.pathOfEnvironment ?? (try? Settings.database) ?? (try? DefaultPath.find())
    }

    // MARK: The shell's quotes

    /// A word without its quotes and backslashes. Nothing is expanded: a word that needs that names
    /// no existing key.
    static func unquoted(_ word: String) -> String {
      var plain = ""
      var quote: Character?
      var isEscaped = false
      for character in word {
        if isEscaped {
          plain.append(character)
          isEscaped = false
        } else if character == "\\", quote != "'" {
          isEscaped = true
        } else if character == quote {
          quote = nil
        } else if quote == nil, character == "'" || character == "\"" {
          quote = character
        } else {
          plain.append(character)
        }
      }
      return plain
    }
  }
#endif
