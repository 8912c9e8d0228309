#if Gateway
  /// The commands by which operators make the marks that a gateway could not make.
  ///
  /// They name the file of the gateway: another shell has another one. They show no query, which may be secret: what
  /// has one is covered by the beginning of its address. Nor do they show the fleet, whose address may hold a password.
  enum MarkCommands {
    /// Commands for a shell that cover the marks, and no less; none for no marks.
    ///
    /// - Parameter path: The absolute path of the store.
    static func covering(
      _ marks: [OwedInvalidations.Mark], in collection: String, of path: String
    ) -> [String] {
      var (addresses, prefixes, tags): ([String], [String], [String]) = ([], [], [])
      for mark in marks {
        switch mark {
        case .address(let key):
          // Behind a space is a digest, in the place of the end of a long address.
          let beginning = key.base.prefix { $0 != "?" && $0 != " " }
          let next = key.base[beginning.endIndex...].first
          if next == nil {
            addresses.append(quoted(key.base))
          } else {
            let prefix = "--prefix " + quoted(next == "?" ? "\(beginning)?" : String(beginning))
            if !prefixes.contains(prefix) { prefixes.append(prefix) }
          }
        case .tag(let tag): tags.append("--tag " + quoted(tag))
        case .everything: return [everything(in: collection, of: path)]
        }
      }
      let place = "--collection \(collection)"
      // A tag is one in all collections.
      return [[place] + addresses, [place] + prefixes, tags].compactMap { words in
        words.isEmpty || words == [place]
          ? nil : "\(verb(of: path)) \(words.joined(separator: " "))"
      }
    }

    /// The command that covers all copies.
    static func everything(in collection: String, of path: String) -> String {
      "\(verb(of: path)) --all --collection \(collection)"
    }

    /// The beginning of each command.
    private static func verb(of path: String) -> String {
      "freshstore mark --db \(quoted(path))"
    }

    /// One word of a shell.
    private static func quoted(_ text: String) -> String {
      "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
    }
  }
#endif
