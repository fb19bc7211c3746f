#!/bin/sh
# Writes the pictures of the tutorial, as SVG: pictures.sh [FOLDER]
#
# Plain sh and awk; what awk reads below is a small language of boxes, texts and arrows:
#   box X Y WIDTH HEIGHT COLOUR    text X Y SIZE WORDS    bold ...    arrow X1 Y1 X2 Y2
# With --check, says whether the files of docs/tutorial/pictures are what it would write.
set -eu
cd "$(dirname "$0")/.."
folder=docs/tutorial/pictures

svg() {
    awk -v width="$1" -v height="$2" '
        BEGIN {
            fill["plain"] = "#ffffff"; fill["grey"] = "#f0f1f3"; fill["blue"] = "#dbe7f7"
            fill["green"] = "#dff0df"; fill["yellow"] = "#fbf0cf"; fill["red"] = "#f7dfdb"
            printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"", width, height
            printf " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" fill=\"#222222\">\n", width, height
            print "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\""
            print "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#555555\"/></marker></defs>"
            printf "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height
        }
        $1 == "box" {
            printf "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"4\"", $2, $3, $4, $5
            printf " fill=\"%s\" stroke=\"#888888\"/>\n", fill[$6]
        }
        $1 == "text" || $1 == "bold" {
            words = $0
            sub(/^[a-z]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", words)
            gsub(/&/, "\\&amp;", words)
            gsub(/</, "\\&lt;", words)
            printf "<text x=\"%s\" y=\"%s\" font-size=\"%s\"%s>%s</text>\n", $2, $3, $4,
                $1 == "bold" ? " font-weight=\"bold\"" : "", words
        }
        $1 == "arrow" {
            printf "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"", $2, $3, $4, $5
            print " stroke=\"#555555\" stroke-width=\"1.5\" marker-end=\"url(#tip)\"/>"
        }
        END { print "</svg>" }'
}

# A table of rows: column(X, Y, NAME, VALUES...) draws one column of it.
column() {
    x=$1
    y=$2
    echo "box $x $y 92 22 yellow"
    echo "bold $((x + 8)) $((y + 15)) 12 $3"
    shift 3
    for value; do
        y=$((y + 22))
        echo "box $x $y 92 22 plain"
        echo "text $((x + 8)) $((y + 15)) 12 $value"
    done
}

things() {
    {
        echo "box 10 10 740 92 grey"
        echo "bold 22 32 15 engine"
        echo "text 84 32 13 what your program defines once; every batch of it uses the same"
        echo "box 22 44 230 46 yellow"
        echo "text 32 62 13 components: Position, Velocity,"
        echo "text 32 80 13 Shot, Rock; singletons: Game"
        echo "box 264 44 230 46 green"
        echo "text 274 62 13 systems: steer, move, fade, hit"
        echo "text 274 80 13 observers"
        echo "box 506 44 232 46 blue"
        echo "text 516 62 13 queries: \"mut Position, Velocity\""
        echo "arrow 380 102 380 126"
        echo "box 10 130 740 380 grey"
        echo "bold 22 152 15 batch"
        echo "text 76 152 13 worlds that step together; a game has a batch of one world"
        echo "box 22 166 540 332 plain"
        echo "bold 34 188 14 world 0"
        echo "box 420 174 130 44 green"
        echo "text 430 192 12 singleton Game"
        echo "text 430 209 12 points 60, key f"
        echo "text 34 228 13 table of rocks: the entities that have just these components"
        column 34 238 entity @1:1 @2:1 @5:3
        column 132 238 Position "9, 18" "50, 5" "31, 20"
        column 230 238 Velocity "5, 1" "2, 3" "4, -8"
        column 328 238 Rock 3 2 2
        echo "arrow 470 271 424 271"
        echo "text 474 268 12 a row is"
        echo "text 474 283 12 one entity"
        echo "text 34 354 13 table of shots"
        column 34 364 entity @3:1 @4:1
        column 132 364 Position "33, 12" "40, 12"
        column 230 364 Velocity "30, 0" "30, 0"
        column 328 364 Shot 41 29
        echo "arrow 276 462 276 434"
        echo "text 34 478 13 a column is an array of one component; \"mut Position, Velocity\" matches"
        echo "text 34 493 13 both tables, and a system gets them one after the other, as rows"
        echo "box 574 166 164 70 plain"
        echo "bold 586 188 14 world 1"
        echo "text 586 208 12 its own tables, entities,"
        echo "text 586 224 12 singletons and seed"
        echo "box 574 246 164 40 plain"
        echo "bold 586 271 14 world 2"
        echo "text 586 310 13 ... up to millions"
    } | svg 760 520
}

# A band of a step: phase(Y, NAME, NOTE)
phase() {
    echo "box 10 $1 616 104 grey"
    echo "bold 22 $(($1 + 22)) 14 phase: $2"
    echo "text 22 $(($1 + 92)) 12 $3"
}

# system(X, Y, NAME, ACCESS)
system() {
    echo "box $1 $2 124 44 green"
    echo "bold $(($1 + 10)) $(($2 + 18)) 13 $3"
    echo "text $(($1 + 10)) $(($2 + 35)) 11 $4"
}

step() {
    {
        echo "bold 10 24 15 cosm_batch_step: one step of all worlds"
        phase 36 input "Systems run in order. Those that touch nothing in common may run at the same time."
        system 22 66 read_keys "mut Game"
        echo "box 638 36 112 104 red"
        echo "bold 650 84 13 sync point"
        echo "text 650 102 11 ends each phase"
        phase 152 simulation "A system records spawns and despawns as commands; rows stay where they are meanwhile."
        system 22 182 steer "mut Velocity"
        system 154 182 move "mut Position"
        system 286 182 fade "mut Shot"
        system 418 182 hit "mut Rock"
        echo "arrow 146 204 153 204"
        echo "arrow 278 204 285 204"
        echo "arrow 410 204 417 204"
        echo "arrow 542 204 636 204"
        echo "text 560 197 11 commands"
        echo "box 638 152 112 104 red"
        echo "bold 650 180 13 sync point"
        echo "text 650 198 11 1 commands"
        echo "text 650 212 11 are applied"
        echo "text 650 230 11 2 observers"
        echo "text 650 244 11 are called"
        phase 268 render "Sees the state after this step's spawns and despawns."
        system 22 298 draw "Position"
        echo "box 638 268 112 104 red"
        echo "bold 650 316 13 sync point"
        echo "box 10 384 740 36 blue"
        echo "text 22 407 13 end of the step: the step count goes up by one; now you may read, snapshot, save, hash, spawn directly"
    } | svg 760 430
}

if [ "${1:-}" = --check ]; then
    work=$(mktemp -d)
    status=0
    things >"$work/things.svg"
    step >"$work/step.svg"
    for name in things step; do
        cmp -s "$work/$name.svg" "$folder/$name.svg" || {
            echo "$folder/$name.svg is not what scripts/pictures.sh writes: run it"
            status=1
        }
    done
    rm -rf "$work"
    exit $status
fi
mkdir -p "${1:-$folder}"
things >"${1:-$folder}/things.svg"
step >"${1:-$folder}/step.svg"
