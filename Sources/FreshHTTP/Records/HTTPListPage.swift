#if HTTP
  /// A list as a server sends it: the whole list, its changes, or a page of either.
  ///
  /// In JSON all members except `values` may be left out:
  ///
  /// ```json
  /// {
  ///   "values": {"7": {"text": "Buy milk"}}, "tags": {"7": "\"v2\""}, "removed": ["6"],
  ///   "next": "?page=2", "cursor": "?since=41"
  /// }
  /// ```
  ///
  /// A body without `values`, such as a notice of maintenance, is no page and changes nothing: no member leaves the
  /// list. A value that cannot be decoded is one of ``changed``: it is requested by itself, and delays no other.
  public struct HTTPListPage<Value: Sendable>: Sendable {
    /// The values of members, by key.
    public var values: [String: Value]
    /// The entity tags of those values, each as a fetch of the value would state it. Without its tag, a later
    /// write of the member is sent without a condition, and overwrites changes of others.
    public var tags: [String: String]
    /// Members of the list whose values the page does not state.
    public var named: [String]
    /// Members that have changed, and are to be requested one by one.
    public var changed: [String]
    /// Keys that have left the list.
    public var removed: [String]
    /// The address of the next page; `nil` with the last one. It may be relative to the address of this page.
    public var next: String?
    /// The address of all later changes; `nil` when there is none, or when it has not changed. It may be
    /// relative to the address of this page. If each page names one, the first page's counts: it misses no
    /// change that happens while the other pages are fetched.
    public var cursor: String?
    /// True for the whole list, false for changes; `nil` for whichever of them was requested.
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
    /// A value; `nil` where it cannot be decoded.
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
      // Without `values` it is the answer to another request, and would empty a whole list.
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
