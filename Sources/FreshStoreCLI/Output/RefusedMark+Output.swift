#if CommandLine
  internal import FreshStore

  extension RefusedMark {
    /// The columns of `fleet marks`, for those that are kept, too.
    static let columns = [
      Table.Column("NUMBER", isNumber: true), Table.Column("STATE"),
      Table.Column("COVERS", isShortened: true), Table.Column("REASON"),
      Table.Column("REFUSED BECAUSE"),
    ]

    /// The mark in a listing.
    var cells: [String] {
      ["\(id)", "refused", scope.words, reason, refusal].map(Console.printable)
    }

    /// The same for programs.
    var fields: JSONFields {
      [
        "number": id, "state": "refused", "covers": scope.fields, "reason": reason,
        "refusal": refusal,
      ]
    }
  }

  extension KeptMark {
    /// The mark in a listing.
    var cells: [String] { ["\(id)", "kept", scope.words, reason, ""].map(Console.printable) }

    /// The same for programs.
    var fields: JSONFields {
      ["number": id, "state": "kept", "covers": scope.fields, "reason": reason]
    }
  }

  extension SharedMark.Scope {
    /// What a mark covers; names that are no text are repaired.
    fileprivate var fields: JSONFields {
      func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
      return switch self {
      case .key(let key): ["collection": text(key.collection), "key": text(key.key)]
      case .tag(let tag): ["tag": text(tag)]
      case .prefix(let prefix, let name): ["collection": text(name), "prefix": text(prefix)]
      case .collection(let name): ["collection": text(name)]
      case .all: ["all": true]
      }
    }
  }
#endif
