[ -e "$1" ] || [ -L "$1" ] || { echo 'No such file or directory' >&2; exit 1; }
[ -d "$1" ] || { echo 'Not a directory' >&2; exit 1; }
[ -r "$1" ] && [ -x "$1" ] || { echo 'Permission denied' >&2; exit 1; }
CDPATH= cd -- "$1" || exit 1
for name in * .[!.]* ..?*; do
  if [ -L "$name" ]; then kind=l
  elif [ -f "$name" ]; then kind=f
  elif [ -d "$name" ]; then kind=d
  elif [ -p "$name" ]; then kind=p
  elif [ -S "$name" ]; then kind=s
  elif [ -b "$name" ]; then kind=b
  elif [ -c "$name" ]; then kind=c
  elif [ -e "$name" ]; then kind=u
  else continue
  fi
  printf '%s%s\0' "$kind" "$name"
done
