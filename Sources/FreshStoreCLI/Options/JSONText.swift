#if CommandLine
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Whether bytes are JSON.
  enum JSONText {
    static func isValid(_ bytes: [UInt8]) -> Bool {
      do {
        _ = try JSONDecoder().decode(Anything.self, from: Data(bytes))
        return true
      } catch {
        return false
      }
    }

    /// Looks at every part: the decoder checks numbers and strings only when they are asked for.
    private struct Anything: Decodable {
      struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }

      init(from decoder: any Decoder) throws {
        // Not an object: an array, or a single value.
        if let object = try? decoder.container(keyedBy: Name.self) {
          for name in object.allKeys { _ = try object.decode(Anything.self, forKey: name) }
          return
        }
        // Not an array either: a single value.
        if var array = try? decoder.unkeyedContainer() {
          while !array.isAtEnd { _ = try array.decode(Anything.self) }
          return
        }
        try Self.checkSingleValue(decoder.singleValueContainer())
      }

      private static func checkSingleValue(_ value: any SingleValueDecodingContainer) throws {
        if value.decodeNil() { return }
        // Not a Boolean: a number or a string.
        if (try? value.decode(Bool.self)) != nil { return }
        // Not a number: a string, or nothing that JSON knows.
        if (try? value.decode(Double.self)) != nil { return }
        _ = try value.decode(String.self)
      }
    }
  }
#endif
