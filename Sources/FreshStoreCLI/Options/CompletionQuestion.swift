#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools

  /// A command line that is being typed, and the word to complete.
  struct CompletionQuestion {
    /// The words, without quotes.
    private let words: [String]
    private let index: Int
    /// The required beginning of answers.
    let prefix: String

    /// - Parameters:
    ///   - words: The words as the shell has them, with their quotes.
    ///   - index: The position of the word to complete.
    ///   - typed: The part of that word before the cursor.
    init(_ words: [String], _ index: Int, _ typed: String) {
      self.words = words.map(Self.unquoted)
      self.index = index
      prefix = Self.unquoted(typed)
    }

    /// Asks, and quotes the answers for the shell. Names with control characters are left out.
    func answers(_ ask: (StoredNames, _ prefix: String) -> [String]) -> [String] {
      guard let path else { return [] }
      let answers = ask(StoredNames(of: path), prefix).filter { $0 == Console.printable($0) }
      return answers.map(Self.quoted)
    }

    /// An answer, quoted so that the shell takes it literally.
    private static func quoted(_ answer: String) -> String {
      switch CompletionShell.requesting {
      // Bash expands completions, command substitutions included, except in single quotes.
      case .bash: "'" + answer.replacing("'", with: "'\\''") + "'"
      // Zsh takes the text after a colon for a description.
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

    /// The word before the word to complete.
    var wordBefore: String? {
      guard index > 0, index <= words.count else { return nil }
      return words[index - 1]
    }

    private var path: String? {
      if let path = value(of: "--db") {
        guard path.hasPrefix("~/"), let home = Process.variable("HOME") else { return path }
        return home + path.dropFirst()
      }
      // A user without a home folder has no store, and a faulty configuration names none.
      return StoreOptions.pathOfEnvironment ?? (try? Settings.database) ?? (try? DefaultPath.find())
    }

    // MARK: The shell's quotes

    /// A word without its quotes and backslashes. Nothing is expanded: a word that needs expansion names no existing
    /// key.
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

  /// Completions from the store. They run while the user types, so that they are quick, change nothing, and stay
  /// silent on any error.
  extension CompletionKind {
    /// Names of collections.
    static var collections: CompletionKind {
      names { names, prefix in names.collections(beginningWith: prefix, limit: limit) }
    }

    /// Keys and URLs of the collection that the command line names, else of the two default collections.
    static var keys: CompletionKind {
      .custom { words, index, typed in
        let question = CompletionQuestion(words, index, typed)
        let places = question.value(of: "--collection").map { [$0] } ?? ["default", "http"]
        return question.answers { names, prefix in
          places.flatMap { names.keys(of: $0, beginningWith: prefix, limit: limit) }
        }
      }
    }

    /// Tags of records.
    static var tags: CompletionKind {
      names { names, prefix in names.tags(beginningWith: prefix, limit: limit) }
    }

    /// Numbers of local writes.
    static var writes: CompletionKind {
      names { names, prefix in names.writes(limit: limit).filter { $0.hasPrefix(prefix) } }
    }

    /// Keys of the collection that the word before names.
    static var keysOfCollectionBefore: CompletionKind {
      .custom { words, index, typed in
        let question = CompletionQuestion(words, index, typed)
        guard let place = question.wordBefore else { return [] }
        return question.answers { names, prefix in
          names.keys(of: place, beginningWith: prefix, limit: limit)
        }
      }
    }

    /// Names that depend on no other word of the line.
    private static func names(
      _ ask: @escaping @Sendable (StoredNames, _ prefix: String) -> [String]
    ) -> CompletionKind {
      .custom { words, index, typed in CompletionQuestion(words, index, typed).answers(ask) }
    }

    /// The most answers that are offered; a user with more of them types on.
    private static let limit = 200
  }

  /// The completion script for bash: the generated script, behind a function that passes whole words to it.
  ///
  /// Bash splits words at colons and equals signs (`COMP_WORDBREAKS`). The generated script would take the pieces of
  /// a URL for several arguments.
  enum BashCompletion {
    private static let option = "--generate-completion-script"

    /// True when the arguments request this script, by name or for the user's shell.
    static var isRequested: Bool {
      let arguments = Array(RawArguments.texts.dropFirst())
      let isOfUser = Process.variable("SHELL")?.hasSuffix("/bash") ?? false
      return arguments == [option, "bash"] || arguments == ["\(option)=bash"]
        || (arguments == [option] && isOfUser)
    }

    /// Prints the script and returns the exit status.
    static func printScript() -> ExitStatus {
      Process.ignoreBrokenPipes()
      do throws(CommandFailure) {
        try StandardOutput.line(FreshStoreCommand.completionScript(for: .bash) + "\n" + wholeWords)
        return .served
      } catch {
        if let message = error.message { Console.note(message) }
        return error.status
      }
    }

    /// Joins the pieces of a word again, and drops from each answer the part that bash keeps as a word of its own.
    /// The value after `--option=` stays a word of its own.
    private static let wholeWords = #"""
      __freshstore_whole_words() {
          local -a whole=("${COMP_WORDS[0]}")
          local -i index place=0
          local piece typed= joins=false
          for ((index = 1; index < ${#COMP_WORDS[@]}; index++)); do
              piece="${COMP_WORDS[index]}"
              if [[ "${piece}" = '=' && "${whole[${#whole[@]} - 1]}" = --* ]]; then
                  ((index != COMP_CWORD)) && continue
                  piece=
              fi
              if [[ -n "${piece}" && -z "${piece//[:=]/}" && "${#whole[@]}" -gt 2 ]]; then
                  whole[${#whole[@]} - 1]+="${piece}"
                  ((index == COMP_CWORD)) && typed="${whole[${#whole[@]} - 1]}"
                  joins=true
              elif "${joins}"; then
                  ((index == COMP_CWORD)) && typed="${whole[${#whole[@]} - 1]}"
                  whole[${#whole[@]} - 1]+="${piece}"
                  joins=false
              else
                  whole+=("${piece}")
              fi
              ((index == COMP_CWORD)) && place="${#whole[@]}-1"
          done
          local -a COMP_WORDS=("${whole[@]}")
          local -i COMP_CWORD="${place}"
          _freshstore "${1}" "${typed}${2}" "${whole[place - 1]}"
          [[ -z "${typed}" ]] || COMPREPLY=("${COMPREPLY[@]#"${typed}"}")
      }
      complete -o filenames -F __freshstore_whole_words freshstore
      """#
  }
#endif
