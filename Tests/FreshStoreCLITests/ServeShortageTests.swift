#if CommandLine
  import OriginServer
  import Testing

  /// A gateway whose system gives it less than it wants: its loop serves who can be served.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ServeShortageTests {
    /// Mounts a file system of its own at `$disk`, which is thawed and gone at the end of the script.
    private static let disk = #"""
      disk="$folder/disk"; mkdir "$disk"
      dd if=/dev/zero of="$folder/image" bs=1M count=24 2> /dev/null
      mkfs.ext4 -q "$folder/image"
      mount -o loop "$folder/image" "$disk"
      gateway=
      trap 'fsfreeze -u "$disk" 2> /dev/null; kill $gateway 2> /dev/null; wait; umount "$disk"' EXIT

      """#

    @Test(
      .enabled("freezing a file system needs root, a loop device and mkfs.ext4") {
        try await Playground().runShell(
          """
          exec unshare -m sh -ec '
            \(disk.replacing("'", with: "'\\''"))
            fsfreeze -f "$disk"; fsfreeze -u "$disk"'
          """
        ).status == 0
      })
    func `while its file system is frozen it serves copies, and what needs none`() async throws {
      let origin = try await OriginServer.start { request in
        .init(200, ["Cache-Control": "max-age=600"], body: request.target)
      }
      let run = try await Playground().runShell(
        #"""
        cat > "$folder/work" <<'END'
        \#(Self.disk)
        serve() {
          freshstore serve --origin \#(origin.url("")) --listen 127.0.0.1:0 --admin 127.0.0.1:0 \
            --db "$disk/store.db" > "$folder/lines" 2> "$folder/told" &
          gateway=$!
          until grep -q listening "$folder/lines"; do :; done
          base=$(sed -n 's/listening on //p' "$folder/lines")
          until grep -q figures "$folder/told"; do :; done
          admin=$(sed -n 's|.*figures on \(.*\)/metrics|\1|p' "$folder/told")
        }
        get() { curl -s -m 10 "$@" || echo none; }
        copied() { until get -D - "$base/$1" | grep -q 'freshstore; hit'; do :; done; }
        serve
        copied one; copied two
        kill $gateway; wait $gateway
        # Its memory is empty, it has read once, and written since.
        serve
        get "$base/one" > /dev/null
        copied three
        fsfreeze -f "$disk"
        get "$base/two"; echo
        get "$admin/healthz"
        get -H 'Cache-Control: no-store' "$base/four"; echo
        END
        exec unshare -m sh -e "$folder/work"
        """#)
      await origin.stop()
      #expect(run.text == "/two\nok\n/four\n", "\(run.error)")
    }

    @Test func `without a descriptor for one more client it waits for one, and says so once`()
      async throws
    {
      let run = try await Playground().runShell(
        #"""
        (
          ulimit -n 48
          exec freshstore serve --origin http://127.0.0.1:9 --listen 127.0.0.1:0 --db "$db"
        ) > "$folder/lines" 2> "$folder/told" &
        gateway=$!
        trap 'kill $gateway' EXIT
        until grep -q listening "$folder/lines"; do :; done
        port=$(sed 's/.*://' "$folder/lines")
        mkfifo "$folder/end"
        perl -MIO::Socket::INET -e '
          my @s = map { IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0]) } 1..40;
          open(my $end, "<", $ARGV[1]); <$end>;' "$port" "$folder/end" &
        clients=$!
        until grep -q 'no more connections' "$folder/told"; do :; done
        ticks() { sed 's/.*) //' "/proc/$gateway/stat" | cut -d ' ' -f 12,13 | tr ' ' '+'; }
        before=$(($(ticks)))
        sleep 1
        [ $(($(ticks) - before)) -lt 30 ] && echo idle
        echo > "$folder/end"
        wait $clients
        curl -s -m 30 -o /dev/null -w '%{http_code}\n' "http://127.0.0.1:$port/"
        grep -c 'no more connections' "$folder/told"
        """#)
      #expect(run.text == "idle\n502\n1\n", "\(run.error)")
    }
  }
#endif
