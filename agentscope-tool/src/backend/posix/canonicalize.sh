here=$(pwd -P; printf x) && here=${here%?x}
for path do
  dir= links=0 missing=0 state=ok
  case $path in /*) rest=$path ;; *) rest=$here/$path ;; esac
  while [ -n "$rest" ]; do
    case $rest in
      /*) rest=${rest#/}; continue ;;
      */*) name=${rest%%/*} rest=${rest#*/} ;;
      *) name=$rest rest= ;;
    esac
    case $name in
      .) continue ;;
      ..)
        dir=${dir%/*}
        [ "$missing" -gt 0 ] && missing=$((missing - 1))
        continue ;;
    esac
    if [ "$missing" -gt 0 ]; then
      missing=$((missing + 1)) dir=$dir/$name
    elif [ -L "$dir/$name" ]; then
      links=$((links + 1))
      [ "$links" -gt 40 ] && { state=loop; break; }
      target=$(readlink "$dir/$name" && printf x) || { state=denied; break; }
      target=${target%?x}
      case $target in /*) dir= ;; esac
      rest=$target/$rest
    else
      [ -e "$dir/$name" ] || {
        # A directory that may not be searched hides what is in it.
        [ -d "$dir/" ] && [ ! -x "$dir/" ] && { state=denied; break; }
        missing=1
      }
      dir=$dir/$name
    fi
  done
  printf '%s\0%s\0' "$state" "${dir:-/}"
done
