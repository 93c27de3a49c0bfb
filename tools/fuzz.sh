#!/bin/sh
# Fuzzes every reader with libFuzzer under ASan and UBSan: tools/fuzz.sh [seconds each] [targets...]
# Seeds come from our own writers; the corpus grows in build-fuzz/corpus. Fails on the first find.
set -e
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=${*:-geo bgeo bgeo_big container obj bcc yarns pyp chart}
out=build-fuzz
cxx="clang++ -std=c++17 -O1 -g -march=x86-64-v3 -fno-omit-frame-pointer -DEIGEN_MAX_ALIGN_BYTES=32
    -Icore -Itests -isystem /usr/include/eigen3"
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
mkdir -p $out/objects
# the readers and what they stand on, once; a file is built again when anything in core is newer
for source in core/purl/io/*.cpp core/purl/base/*.cpp; do
    object=$out/objects/$(basename "$source" .cpp).o
    if [ ! -f "$object" ] || [ -n "$(find core -newer "$object" -name '*.h')" ] || [ "$source" -nt "$object" ]; then
        $cxx $sanitize -fsanitize=fuzzer-no-link -c "$source" -o "$object"
    fi
done
libraries="-ltbb -lz -lblosc -lxxhash -lpng"
ls core/purl/io/vdb*.cpp >/dev/null 2>&1 && libraries="$libraries -lopenvdb"
$cxx $sanitize tests/fuzz/make_seeds.cpp $out/objects/*.o -fsanitize=fuzzer-no-link $libraries -o $out/make_seeds
$out/make_seeds $out/seeds
# short call stacks and a small quarantine: the same finds, in half the time
export ASAN_OPTIONS="${ASAN_OPTIONS:-malloc_context_size=2:quarantine_size_mb=16}"
total=0
for target in $targets; do
    $cxx $sanitize -fsanitize=fuzzer tests/fuzz/fuzz_"$target".cpp $out/objects/*.o $libraries -o $out/fuzz_"$target"
    mkdir -p $out/corpus/"$target"
    log=$out/$target.log
    rm -f $out/"$target"-slow-unit-*
    # One malloc of more than 64 MB and 64 x 2048 bytes is a find here; the sum of them, and more than
    # 1 s of processor time, are finds of tests/fuzz/reader_target.h. -timeout is the clock's, which
    # a busy machine can stop.
    if ! $out/fuzz_"$target" -max_total_time="$seconds" -max_len=2048 -timeout=20 -report_slow_units=1 \
        -rss_limit_mb=2048 -malloc_limit_mb=65 -print_final_stats=1 -artifact_prefix=$out/"$target"- \
        $out/corpus/"$target" $out/seeds/"$target" >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "fuzz_$target: a find (see $log)"
        exit 1
    fi
    # An input that took 1 s of the clock is a find when it does so three times more; a busy machine
    # can stop any process for a second.
    for slow in $out/"$target"-slow-unit-*; do
        [ -f "$slow" ] || continue
        again=0
        for try in 1 2 3; do
            $out/fuzz_"$target" -timeout=1 "$slow" >>"$log" 2>&1 || again=$((again + 1))
        done
        if [ $again = 3 ]; then
            echo "fuzz_$target: $slow takes more than 1 s"
            exit 1
        fi
        echo "$target: $slow took 1 s once, not when run again (the machine was busy)"
    done
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    total=$((total + runs))
    echo "$target: $runs executions, no find"
done
echo "total: $total executions"
