#if HTTP
  /// A list as a server tells it, or a page of it, or of its changes.
  ///
  /// As JSON, in which everything but `values` may be left out:
  ///
  /// ```json
  /// {
  ///   "values": {"7": {"text": "Buy milk"}}, "tags": {"7": "\"v2\""}, "removed": ["6"],
  ///   "next": "?page=2", "cursor": "?since=41"
  /// }
  /// ```
  ///
  /// A body without `values`, such as a notice of maintenance, is no page: nothing is told by it, and nobody leaves
  /// the list. A value that cannot be decoded is one of ``changed``: it is asked for by itself, and delays no other.
  public struct HTTPListPage<Value: Sendable>: Sendable {
    /// The values of members, by key.
    public var values: [String: Value]
    /// The entity tags of those values, each as a fetch of it would state it. Without its tag, a later
    /// write of the member is sent without a condition, and overwrites what others have changed.
    public var tags: [String: String]
    /// Members that are on the list, without news of them.
    public var named: [String]
    /// Members that have changed, and are to be asked for one by one.
    public var changed: [String]
    /// Keys that have left the list.
    public var removed: [String]
    /// The address of the next page; `nil` with the last one. It may be relative to that of this page.
    public var next: String?
    /// The address of all later changes; `nil` when there is none, or when it stays as it was. It may be
    /// relative to that of this page. Where each page names one, the first page's counts, as it misses nothing
    /// that changes while the others are fetched.
    public var cursor: String?
    /// True for the whole list, false for changes; `nil` for what was asked for.
    public var isWhole: Bool?

    private enum CodingKeys: String, CodingKey {
      case values, tags, named, changed, removed, next, cursor, isWhole
    }

    /// Creates a page.
    public init(
      values: [String: Value] = [:], tags: [String: String] = [:], named: [String] = [],
      changed: [String] = [], removed: [String] = [], next: String? = nil, cursor: String? = nil,
      isWhole: Bool? = nil
    ) {
      self.values = values
      self.tags = tags
      self.named = named
      self.changed = changed
      self.removed = removed
      self.next = next
      self.cursor = cursor
      self.isWhole = isWhole
    }
  }

  extension HTTPListPage: Encodable where Value: Encodable {}

  extension HTTPListPage: Decodable where Value: Decodable {
    /// A value, or its place where it cannot be decoded.
    private struct Member: Decodable {
      let value: Value?

      init(from decoder: any Decoder) throws {
        do {
          value = try Value(from: decoder)
        } catch {
          value = nil
        }
      }
    }

    /// Reads a page.
    public init(from decoder: any Decoder) throws {
      let page = try decoder.container(keyedBy: CodingKeys.self)
      // Without them it is the answer to another question, which would empty a whole list.
      let members = try page.decode([String: Member].self, forKey: .values)
      let changed = try page.decodeIfPresent([String].self, forKey: .changed) ?? []
      self.init(
        values: members.compactMapValues(\.value),
        tags: try page.decodeIfPresent([String: String].self, forKey: .tags) ?? [:],
        named: try page.decodeIfPresent([String].self, forKey: .named) ?? [],
        changed: changed + members.filter { $0.value.value == nil }.keys,
        removed: try page.decodeIfPresent([String].self, forKey: .removed) ?? [],
        next: try page.decodeIfPresent(String.self, forKey: .next),
        cursor: try page.decodeIfPresent(String.self, forKey: .cursor),
        isWhole: try page.decodeIfPresent(Bool.self, forKey: .isWhole))
    }
  }
#endif
