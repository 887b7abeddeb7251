#!/bin/sh
# Registers the unpacked Swaplab that this script belongs to with the desktop: menu entry, icon, and the type of
# *.swaplab.json files. Nothing is copied but these small files, and nothing is written outside of $XDG_DATA_HOME.
#   ./install.sh             registers
#   ./install.sh --remove    takes it back
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
desktop=$data/applications/swaplab.desktop
mime=$data/mime/packages/swaplab.xml
icons=$data/icons/hicolor

refresh() {
  if command -v update-mime-database >/dev/null 2>&1; then
    update-mime-database "$data/mime"
  else
    echo "update-mime-database is missing (package shared-mime-info): files *.swaplab.json get their type at the next login." >&2
  fi
  if command -v update-desktop-database >/dev/null 2>&1; then
    update-desktop-database "$data/applications"
  fi
}

case ${1-} in
--remove)
  rm -f -- "$desktop" "$mime" "$icons/scalable/apps/swaplab.svg" "$icons/512x512/apps/swaplab.png"
  if [ -d "$data/mime" ]; then refresh; fi
  echo "Swaplab is no longer registered with the desktop; its folder $here may be deleted."
  exit 0
  ;;
'') ;;
*)
  echo "usage: $0 [--remove]" >&2
  exit 2
  ;;
esac

program=$here/../swaplab
if [ ! -x "$program" ]; then
  echo "There is no program $program: run this script where the archive was unpacked." >&2
  exit 1
fi
program=$(CDPATH='' cd -- "$here/.." && pwd)/swaplab

mkdir -p -- "$(dirname -- "$desktop")" "$(dirname -- "$mime")" "$icons/scalable/apps" "$icons/512x512/apps"
# In a desktop file a quoted word takes a backslash before \ " ` $, each backslash is written twice, and % is %%;
# for sed's replacement \ & and | are escaped once more.
word=$(printf '%s' "$program" | sed -e 's/[\\"`$]/\\\\&/g' -e 's/%/%%/g')
sed "s|@EXEC@|\"$(printf '%s' "$word" | sed -e 's/[\\&|]/\\&/g')\"|" "$here/swaplab.desktop" > "$desktop.new"
mv -f -- "$desktop.new" "$desktop"
cp -f -- "$here/swaplab-mime.xml" "$mime"
cp -f -- "$here/swaplab.svg" "$icons/scalable/apps/swaplab.svg"
cp -f -- "$here/swaplab.png" "$icons/512x512/apps/swaplab.png"
refresh
echo "Swaplab is registered: $program"
