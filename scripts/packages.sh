# What gyre needs of Debian 12. Sourced by the other scripts:
#
#   need_packages build         what it takes to build gyre
#   need_packages build check   and what checks it beyond that
#
# Installs what is missing, when it is allowed to; else says which line does, and ends with 2.

packages_for() {
  case "$1" in
    build)
      echo g++ cmake ninja-build ccache libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev \
        zlib1g-dev libgtest-dev libgmock-dev libeigen3-dev
      ;;
    check) echo clang clang-format libclang-rt-14-dev libbenchmark-dev ;;
  esac
}

is_installed() {
  dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

need_packages() {
  missing=""
  for group in "$@"; do
    for package in $(packages_for "$group"); do
      is_installed "$package" || missing="$missing $package"
    done
  done
  [ -z "$missing" ] && return 0

  install="apt-get install -y --no-install-recommends$missing"
  if [ "$(id -u)" -eq 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
  else
    echo "Packages are missing. As root, run:" >&2
    echo "  apt-get update && $install" >&2
    exit 2
  fi
  echo "installing:$missing"
  # shellcheck disable=SC2086
  { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive $install; } \
    >/dev/null || {
    echo "Installing failed. As root, run:" >&2
    echo "  apt-get update && $install" >&2
    exit 2
  }
}
