#if CommandLine
  internal import ArgumentParser

  /// The completion script for bash: the generated one, behind a function that gives it whole words.
  ///
  /// Bash splits words at colons and equals signs (`COMP_WORDBREAKS`), and with them every URL, which
  /// the generated script then takes for several arguments.
  enum BashCompletion {
    private static let option = "--generate-completion-script"

    /// True when the arguments ask for it, by its name or, without one, by the user's shell.
    static var isRequested: Bool {
      let arguments = Array(RawArguments.texts.dropFirst())
      let isOfUser = Process.variable("SHELL")?.hasSuffix("/bash") ?? false
      return arguments == [option, "bash"] || arguments == ["\(option)=bash"]
        || (arguments == [option] && isOfUser)
    }

    /// Prints it and returns the result.
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

    /// Joins the pieces again, and drops from each answer the part that bash takes for another word
    /// that is already there. The value after `--option=` stays a word of its own.
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
