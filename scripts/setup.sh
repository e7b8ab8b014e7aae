# Shared by the scripts beside it; sourced, not run. Everything it says goes to stderr, so that the program's
# own output can be piped.

repo=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
. "$repo/scripts/packages.sh"
# Objects are the same wherever the checkout lies.
export CCACHE_BASEDIR=$repo CCACHE_NOHASHDIR=1

say() { printf 'convscope: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 1
}

# missing_packages NAME... prints the packages that are not installed.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p')
    comm -13 <(sort -u <<<"$installed") <(printf '%s\n' "$@" | sort -u) | tr '\n' ' '
}

# as_root COMMAND... needs no terminal: without one, sudo must not ask for a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

# need_packages NAME... installs what is missing, or says in one sentence why it cannot.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "this is not Debian or Ubuntu, so packages are not checked; the list is in scripts/packages.sh."
        return
    fi
    local missing
    missing=$(missing_packages "$@")
    [ -n "${missing// /}" ] || return 0
    say "installing from the distribution: $missing"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        die "these packages are missing, and installing them needs root or sudo: $missing"
    fi
    # shellcheck disable=SC2086  # a list of names
    as_root apt-get update -qq >&2 && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $missing >&2 ||
        die "apt-get could not install: $missing"
}

# Names nvcc for CMake when a toolkit is there but not on the PATH.
find_cuda() {
    if [ -z "${CUDACXX:-}" ] && ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
        export CUDACXX=/usr/local/cuda/bin/nvcc
    fi
}

# One compiler for each core, but none without 1.5 GB of free memory: nvcc and the template-heavy files need that.
build_jobs() {
    local cores free_kb by_memory
    cores=$(nproc)
    free_kb=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
    by_memory=$((${free_kb:-1500000} / 1500000))
    [ "$by_memory" -ge 1 ] || by_memory=1
    echo $((cores < by_memory ? cores : by_memory))
}

# run_tests PRESET [CTEST ARGUMENTS] One more at a time than there are cores: some wait for a window or for the time. An
# hour ends a test that hangs.
# What failing tests said stands at the end, too: that is what a server shows of a long log.
run_tests() {
    local build=$repo/build/$1 status=0 number failed
    shift
    failed=$build/Testing/Temporary/LastTestsFailed.log
    ctest --test-dir "$build" --output-on-failure -j $(($(nproc) + 1)) --timeout 3600 --no-tests=error "$@" || status=$?
    # Where no test was found, none has failed.
    [ $status = 0 ] || [ ! -f "$failed" ] || while IFS=: read -r number _; do
        sed -n "/^$number\/[0-9]* Testing: /,/^Test time/p" "$build/Testing/Temporary/LastTest.log" | tail -n 40
    done <"$failed" >&2
    return $status
}

# build PRESET TARGET [CMAKE-OPTION...] configures when the options, the toolkit or the preset file changed, and
# builds when something is out of date. With nothing to do it costs a few milliseconds.
build() {
    local preset=$1 target=$2
    shift 2
    local folder=$repo/build/$preset wanted
    find_cuda
    wanted="$* nvcc=${CUDACXX:-$(command -v nvcc)} $(stat -c %Y "$repo/CMakePresets.json")"
    if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/configured-with" 2>/dev/null)" != "$wanted" ]; then
        say "configuring build/$preset"
        rm -f "$folder/CMakeCache.txt"
        (cd "$repo" && cmake --preset "$preset" "$@") >&2 || die "CMake could not configure build/$preset; see above."
        printf '%s\n' "$wanted" >"$folder/configured-with"
    fi
    if [ "$(ninja -C "$folder" -n "$target" 2>&1 | tail -n 1)" != "ninja: no work to do." ]; then
        say "building build/$preset with $(build_jobs) jobs"
        ninja -C "$folder" -j "$(build_jobs)" "$target" >&2 || die "build/$preset did not build; see above."
    fi
}
