#if CommandLine
  internal import ArgumentParser

  /// Sizes as people write them: a whole number of bytes, or of 1,024 bytes and their powers.
  enum SizeText {
    static func parse(_ text: String) throws -> Int {
      let digits = text.prefix { ("0"..."9").contains($0) }
      // Characters compare by Unicode: the kelvin sign is a K, and a digit with an accent sorts
      // between two digits.
      guard text.utf8.allSatisfy({ $0 < 0x80 }), !digits.isEmpty,
        let factor = units[text[digits.endIndex...].lowercased()]
      else {
        throw ValidationError("a size is a number of bytes; write it like 512, 10k, 5M or 1G")
      }
      let product = Int(digits).map { $0.multipliedReportingOverflow(by: factor) }
      guard let product, !product.overflow else {
        throw ValidationError("it is too large; write it like 512, 10k, 5M or 1G")
      }
      return product.partialValue
    }

    /// The size of a value: at least one byte, at most the limit of a store.
    static func valueSize(_ text: String) throws -> Int {
      let size = try parse(text)
      guard (1...largestValue).contains(size) else {
        throw ValidationError("the size of a value is limited to 1 byte at least and 1G at most")
      }
      return size
    }

    private static let largestValue = 1 << 30
    private static let units = ["": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
  }
#endif
