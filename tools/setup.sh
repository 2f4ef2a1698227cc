# Sourced by ./run and ./test from the root of the repository. Functions only: nothing happens until one is called.

say() { printf '%s\n' "$*"; }
die() {
	printf '%s\n' "$*" >&2
	exit 1
}

# need PACKAGE...: installs those Debian packages that are absent; when all are there, it touches neither apt nor the
# network.
need() {
	if ! command -v dpkg-query >/dev/null 2>&1; then
		say "This is no Debian system: going on with the tools that are here (wanted: $*)."
		return 0
	fi
	missing=
	for p in "$@"; do
		case $(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null) in
		installed) ;;
		*) missing="$missing $p" ;;
		esac
	done
	[ -n "$missing" ] || return 0
	as=
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null 2>&1 || die "Missing packages:$missing (install them as root, or install sudo)."
		as=sudo
	fi
	say "Installing from Debian:$missing"
	log=$(mktemp)
	# Word splitting is meant: $missing is a list of package names.
	# shellcheck disable=SC2086
	if ! { $as apt-get update -q &&
		$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; } \
		>"$log" 2>&1 </dev/null; then
		tail -n 20 "$log" >&2
		rm -f "$log"
		die "apt-get failed. The packages are:$missing"
	fi
	rm -f "$log"
}

# configure FOLDER OPTION...: a meson build folder with these options. It is made anew when the options or the place of
# the checkout are others than last time, and left alone otherwise.
configure() {
	dir=$1
	shift
	wanted="$(pwd) $*"
	if [ -f "$dir/build.ninja" ] && [ "$(cat "$dir/.options" 2>/dev/null)" = "$wanted" ]; then
		return 0
	fi
	say "Configuring $dir/"
	rm -rf "$dir"
	if ! meson setup "$dir" "$@" >"$dir.log" 2>&1; then
		cat "$dir.log" >&2
		rm -f "$dir.log"
		return 1
	fi
	mv "$dir.log" "$dir/setup.log"
	printf '%s\n' "$wanted" >"$dir/.options"
}
