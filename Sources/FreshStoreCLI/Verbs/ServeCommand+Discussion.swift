#if CommandLine
  extension ServeCommand {
    /// What its help says beside the options.
    static let discussion = """
      With --origin it answers as that origin would, from copies as long as they hold (RFC 9111); \
      without, it is a proxy for http addresses, to be named as http_proxy. Copies are records of the \
      store: list, explain, mark and sweep work on them while it runs, several gateways and other \
      verbs share one file, and a restart loses none. While an origin is out of reach or fails, copies \
      stand in for it as far as they may.

      The first line on standard output is 'listening on' and its address; the port is a free one when \
      0 was asked for. Only this machine reaches it unless --listen names another address: anybody who \
      reaches a proxy can use it.

      Of what is asked for at the same time one request goes to the origin, whichever program asks, \
      when the answer is for all. Cache-Status says of each answer where it is from (RFC 9211). Answers \
      larger than --max-size are passed on without being kept.

      With --rules an answer with 200 whose content breaks the rules of its path takes the place of no copy: \
      the copy stands in, as for an origin that fails, and Cache-Status names the rule; without one the \
      answer is passed on, and not kept. Such an answer is read whole before a client hears of it, if it is \
      not larger than --max-size; a larger one is passed on unchecked, and not kept. Coded content cannot be \
      checked, and the origin is not asked for it.

      A proxy makes tunnels (CONNECT) with --connect allow, to port 443, or to --connect-ports; never to the \
      port of --admin, and to this machine itself, or to addresses of the wire that it is on, only where --listen \
      is for this machine alone. What passes is not seen, and not kept. A tunnel ends after 5 minutes without a \
      byte, and after --total-timeout.

      In a fleet (--fleet) gateways on several hosts are as one: what one has fetched is a copy for all, if it \
      is the plain answer of its address; of one address one host asks at a time; and what is purged, marked or \
      changed by an unsafe method through one of them is so for all. While the fleet is out of reach each goes \
      on alone, and marks are delivered later.

      As a service of systemd it takes over sockets that are handed to it, in the place of --listen, and of \
      --admin the one that is named admin, and tells when it is ready and when it ends (Type=notify); \
      freshstore-serve.socket and freshstore-serve.service are such units.

      SIGTERM or Ctrl-C end it in order: no connection is taken any more, and requests under way may take \
      --grace, also to be read by a slow client. At SIGHUP it reads the certificate, its key and the tokens again, for new connections, and goes on \
      with --log in a new file, as after logrotate has renamed it; what cannot be used changes nothing, and is told. \
      When the terminal goes that it was started in, it ends.

      A line of the --log ends in 'left' where the client did not stay for all of its answer, with the \
      status 499 where it had none of it. A log that takes no lines for a while holds up nobody: lines \
      without room are lost, and /metrics and the log itself say how many.

      Each connection takes a file descriptor, and another one while its origin is asked. The limit of \
      open files is raised as far as the system allows, and a note says when that is too little for \
      --max-connections.

      With --purge-token-file operators may have copies fetched again: PURGE of an address, or of all \
      that begin with what stands before a last *, with Authorization: Bearer and a token of the file, one a \
      line. Cache-Groups: "a", "b" names groups of the origin instead. Copies become stale, and stand in for \
      an origin that fails; with Purge-Mode: hard they are removed. The answer is 200 with their number, 404 \
      where there were none, 401 without the token. On --admin POST /purge/PATH does the same.

      EXAMPLES
        freshstore serve --origin http://127.0.0.1:3000 --listen 8080
        freshstore serve --listen 3128 --connect allow
        freshstore serve --listen 3128 & http_proxy=http://127.0.0.1:3128 curl http://example.org/
        freshstore serve --origin http://app:3000 --fleet postgresql://site@db.example.org/fleet
        freshstore serve --origin https://example.org --db site.db --admin 9090 --log access.log
        freshstore serve --origin http://app:3000 --listen 0.0.0.0:443 --certificate site.pem \
      --key site.key
        freshstore serve --origin http://app:3000 --rules '/api/*=api.json' --rules '/feed=feed.json'
        curl -X PURGE -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8080/news/*'

      \(ExitStatus.help((.served, "ended in order")))
      """
  }
#endif
