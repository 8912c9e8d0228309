# Makes manual pages in mdoc(7) of what the command says of itself. The input is what
# `freshstore --experimental-dump-help` prints; beside it:
#   $usages    lines of a verb, a tab and a line of its usage, as `freshstore help VERB` prints it
#   $overview  what `freshstore --help` prints, which alone knows the groups of the verbs
#   $version, $date
# Each page begins with a comment that names its file; scripts/manual parts them by it.

# MARK: Text as roff reads it

def hexadecimal:
  [recurse(if . > 15 then . / 16 | floor else empty end) % 16] | reverse
  | map("0123456789ABCDEF"[. : . + 1]) | join("") | "0000"[length:] + .;

# What roff would take for its own, or show as another character than the one that a shell needs.
def plain:
  gsub("\\\\"; "\\e") | gsub("'"; "\\(aq") | gsub("`"; "\\(ga") | gsub("\\^"; "\\(ha")
  | gsub("~"; "\\(ti") | gsub("(?<other>[^ -~])"; "\\[u\(.other | explode[0] | hexadecimal)]");

# A line that begins with a full stop would be a request.
def line: if startswith(".") then "\\&" + . else . end;

def literal: plain | gsub("-"; "\\-") | line;

# Options are bold, wherever they are named.
def marked:
  gsub("(?<![a-z-])--(?<name>[a-z][a-z-]*[a-z])"; "\\fB\\-\\-\(.name | gsub("-"; "\\-"))\\fR")
  | gsub("--"; "\\-\\-");

# The words of a sentence as lines of at most 78 characters. Names, paths and options are not parted
# at the end of a line that roff makes of them.
def filled:
  reduce (splits(" +") | select(. != "")
    | if test("[_/$]|[a-z][A-Z]|fB") then "\\%" + . else . end) as $word ([];
    if length > 0 and (.[-1] | length) + 1 + ($word | length) <= 78 then .[-1] += " " + $word
    else . + [$word] end)
  | map(line);

# A sentence begins a line, so that roff sets the space before it.
def prose:
  gsub("'freshstore --help'"; "freshstore(1)") | gsub("\\s+"; " ")
  | gsub("(?<end>[.!?][)\"]?) +(?<next>[A-Z(\"])"; "\(.end)\n\(.next)")
  | split("\n") | map(plain | marked | filled[]) | join("\n");

def paragraphs: map(prose) | join("\n.Pp\n");

def item($head; $text): ".It \($head)\n\($text)";

# Of no items there is no list, and of no text no section.
def list: if length > 0 then ".Bl -tag -width Ds\n\(join("\n"))\n.El" else empty end;

def section($title): if length > 0 then ".Sh \($title)\n\(.)" else empty end;

# MARK: Discussions: paragraphs, and sections of indented lines below headings in capitals

# A heading that no page has a place for is an error: what stands below it would be lost.
def sections:
  def known: ["", "ENVIRONMENT", "EXAMPLES", "EXIT CODES", "FILES"];
  reduce split("\n")[] as $line ({at: null, said: {"": ""}};
    if $line | test("^[A-Z][A-Z ]+$") then .at = $line
    elif .at and ($line | startswith(" ")) then .said[.at] += [$line]
    elif .at and $line == "" then .
    else .at = null | .said[""] += $line + "\n" end)
  | .said
  | if keys - known == [] then . else error("no page has a place for \(keys - known)") end
  | .[""] |= [splits("\n\n+") | sub("^\n+"; "") | sub("\n+$"; "") | select(. != "")];

# Lines of a term, two spaces and its meaning, which may go on below, or begin there.
def terms:
  reduce .[] as $line ([];
    ($line | capture("^  (?<term>[^ ]+( [^ ]+)*)(  +(?<meaning>.*))?$") // null) as $new
    | if $new then . + [{term: $new.term, meaning: ($new.meaning // "")}]
      else .[-1].meaning += " " + $line end);

def examples: ".Bd -literal -offset 2n\n\(map(.[2:] | literal) | join("\n"))\n.Ed";

# A line with several codes says where they are explained.
def statuses:
  def isElsewhere: test("^  [0-9]+, ");
  ([map(select(isElsewhere | not)) | terms[] | item(.term; .meaning | prose)] | list),
  (.[] | select(isElsewhere) | ".Pp\n" + prose);

def files: terms[] | item("Pa " + (.term | plain | gsub(", else "; " , No else Pa ")); .meaning | prose);

def variables: terms | map(.head = "Ev " + (.term | gsub(", "; " , Ev ")));

# MARK: Arguments and options

def shown: select(.shouldDisplay);

def flag:
  [.names | sort_by(.kind != "short")[] | if .kind == "short" then "Fl \(.name)" else "Fl -\(.name)" end]
  | join(" , ");

def head:
  if .kind == "positional" then "Ar \(.valueName)" + if .isRepeating then " ..." else "" end
  elif .kind == "option" then "\(flag) Ar \(.valueName)"
  else flag end;

def choices:
  [(.allValues // empty | "values: " + join(", ")), (.defaultValue // empty | "default: " + .)]
  | if length > 0 then " (\(join("; ")))" else "" end;

def explained:
  item(head; ((.abstract // "") + choices | prose)
    + if .discussion then "\n.Pp\n" + (.discussion | prose) else "" end);

# Options under headings of their own go first, as in the help.
def options:
  [.arguments[]? | shown | select(.kind != "positional")] as $all
  | reduce ($all[].sectionTitle // empty) as $title ([]; if index($title) then . else . + [$title] end)
  | if length == 0 then [$all[] | explained] | list
    else
      (.[] as $title | ".Ss \($title)", ([$all[] | select(.sectionTitle == $title) | explained] | list)),
      ".Ss Other options", ([$all[] | select(.sectionTitle == null) | explained] | list)
    end;

# MARK: Verbs

# All verbs below a command, each with `path`, its words.
def verbs($words):
  .subcommands[]? | shown | select(.commandName != "help")
  | .path = $words + [.commandName] | ., verbs(.path);

def name: ["freshstore"] + .path | join("-");

def entry: item("Xr \(name) 1"; .abstract | prose);

# Other pages, as "name section", in the order in which a page lists them.
def references:
  unique | sort_by(split(" ") | [.[1], .[0]]) | map(".Xr " + .) | join(" ,\n");

# One line of a usage as macros. A value stands on the line of its option.
def usage:
  def macros:
    [splits(" ")]
    | map(if startswith("--") and length > 2 then "Fl \(.[1:])"
      elif . == "--" then "Fl -"
      elif startswith("<") then "Ar \(.[1:-1])"
      else . end)
    | join(" ");
  [match("\\[[^\\]]*\\]|--[a-z-]+ <[^ ]*>|<[^ ]*> \\.\\.\\.|[^ ]+"; "g").string][1:]
  | ".Nm freshstore",
    (.[]
      | if . == "<options>" then ".Op Ar options"
        elif startswith("[") then ".Op \(.[1:-1] | macros)"
        elif test("^[a-z]+$") then ".Cm \(.)"
        else ".\(macros)" end);

# What the overview says of its verbs: [{title, verbs}].
def groups:
  reduce ($overview | split("\n"))[] as $line ([];
    if $line | test("^[A-Z ]*SUBCOMMANDS:$") then
      . + [{title: ($line | sub(" ?SUBCOMMANDS:$"; "")), verbs: []}]
    elif length > 0 and ($line | test("^  [a-z]+ ")) then
      .[-1].verbs += [$line | capture("^  (?<verb>[a-z]+) ").verb]
    else . end)
  | map(.title |= if . == "" then "All" else .[0:1] + (.[1:] | ascii_downcase) end);

# MARK: Pages

def top($name):
  (.abstract | sub("\\.$"; "") | (.[0:1] | ascii_downcase) + .[1:]) as $about
  | ".\\\" \($name).1 is made by scripts/manual.", ".Dd \($date)", ".Dt \($name | ascii_upcase) 1",
    ".Os FreshStore \($version)", ".Sh NAME", ".Nm \($name)", ".Nd \($about | plain | marked)";

def overview_page:
  [verbs([])] as $all
  | (.discussion | sections) as $said
  # What more than half of the verbs take, in the words of the first that does.
  | [$all[] | select((.subcommands // []) == [])] as $leaves
  | ([$leaves[].arguments[] | shown | select(.names)]
    | group_by(.preferredName.name)
    | map(select(length * 2 > ($leaves | length)) | .[0])
    | map(select(.preferredName.name | IN("help", "version") | not))) as $common
  | top("freshstore"),
    ".Sh SYNOPSIS", ".Nm", ".Ar verb", ".Op Ar options", ".Op Ar arguments",
    ".Nm", ".Cm help", ".Op Ar verb ...", ".Nm", ".Fl -version",
    ($said[""] | paragraphs | section("DESCRIPTION")),
    ".Sh VERBS",
    (groups[]
      | ".Ss \(.title)",
        ([.verbs[] as $verb | $all[] | select(.path[0] == $verb) | entry] | list)),
    ".Sh OPTIONS", options,
    ".Pp", "Most verbs take these, too:", ([$common[] | explained] | list),
    ([$said.ENVIRONMENT // [] | variables[] | item(.head; .meaning | prose)] | list
      | section("ENVIRONMENT")),
    ([($said.FILES // empty | files),
        item("Pa store.db-wal , store.db-shm";
          "the log of SQLite, beside the store: what is in it is not in the store yet"),
        item("Pa store.db-sweep , store.db-sync"; "locks, beside the store, which hold nothing"),
        item("Pa store.db.damaged-1";
          "a damaged store that was moved aside when it was opened: see\n.Xr freshstore-recover 1")]
      | list | section("FILES")),
    ([$said["EXIT CODES"] // [] | statuses] | join("\n") | section("EXIT STATUS")),
    ($said.EXAMPLES // empty | examples | section("EXAMPLES")),
    (["curl 1", "sqlite3 1", "crontab 5", "systemd.timer 5"] | references | section("SEE ALSO"));

def page($root):
  .path as $path
  | ($path | join(" ")) as $words
  | [$root | verbs([])] as $all
  | (.discussion // "" | sections) as $said
  | [.arguments[]? | .names[]?.name] as $options
  | ([.discussion, (.arguments[]? | .abstract, .discussion)] | map(. // "") | join("\n")) as $text
  | [groups[].verbs | select(index($path[0])) | .[]] as $group
  | top(name),
    ([$usages | split("\n")[] | split("\t") | select(.[0] == $words) | .[1] | usage] | join("\n")
      | section("SYNOPSIS")),
    ([.abstract] + $said[""] | paragraphs | section("DESCRIPTION")),
    ([.arguments[]? | shown | select(.kind == "positional") | explained] | list
      | ".Pp", "Its arguments are:", .),
    ([verbs($path) | entry] | list | section("VERBS")),
    ([options] | join("\n") | section("OPTIONS")),
    ([$root.discussion | sections.ENVIRONMENT // [] | variables[]
        # A variable matters to the verbs that have the option which it stands in for, or which
        # has to do with requests.
        | (if .term == "FRESHSTORE_REACHABILITY" then "ask-reachability"
          elif .term | test("_proxy") then "headers" else "db" end) as $option
        | select($options | index($option))
        | item(.head; .meaning | prose)]
      | list | section("ENVIRONMENT")),
    ([$said["EXIT CODES"] // [] | select(. != []) | statuses] | join("\n")
      | if . == "" then "It exits with 0 when it is done.\n.Xr freshstore 1\nlists the other codes."
        else . end
      | section("EXIT STATUS")),
    ($said.EXAMPLES // empty | examples | section("EXAMPLES")),
    # The whole, its relatives, the verbs of its group, and those that its text names.
    (["freshstore 1"]
      + [$all[]
        | select(.path != $path)
        | select(.path[0] == $path[0] or ((.path | length) == 1 and (.path[0] | IN($group[])))
          or (.path | join(" ")) as $other | $text | test("freshstore \($other)\\b"))
        | name + " 1"]
      | references | section("SEE ALSO"));

.command as $root
| ($root | overview_page), ($root | verbs([]) | page($root))
