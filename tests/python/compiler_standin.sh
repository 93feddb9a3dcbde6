#!/bin/sh
# Passes for hostcc: the image is the source and every header of the user's -I folders. Words in
# the source make it fail in various ways. Each run adds its command line to $STANDIN_LOG.
echo "$*" >>"$STANDIN_LOG"
headers=
while [ $# -gt 0 ]; do
    case $1 in
    -MF) dependencies=$2 && shift ;;
    -o) image=$2 && shift ;;
    --keep-dir=*) ptx=${1#*=}/kernel.ptx ;;
    -I*/site-packages/*) ;;
    -I*) for header in "${1#-I}"/*.h; do [ ! -f "$header" ] || headers="$headers $header"; done ;;
    *.cu | /proc/self/fd/*) source=$1 ;;
    esac
    shift
done
case $(cat "$source") in
*CRASH*) kill -KILL $$ ;;
*NOTHING*) exit 0 ;;
*FAIL*) echo out && echo "kernel.cu:1:1: error: FAIL" >&2 && exit 1 ;;
*WARN*) echo "kernel.cu:1:1: warning: WARN" >&2 ;;
*STOP*) echo started >"$STANDIN_LOG.fifo" && kill -STOP $$ ;;
*DEAF*) trap '' TERM && echo started >"$STANDIN_LOG.fifo" && cat "$STANDIN_LOG.never" ;;
*HANG*) echo started >"$STANDIN_LOG.fifo" && cat "$STANDIN_LOG.never" ;;
esac
if [ -z "$image" ]; then cat "$source"; exit; fi
# shellcheck disable=SC2086
cat "$source" $headers >"$image"
[ -z "$ptx" ] || cp "$source" "$ptx"
echo "image: $source $headers" | sed 's/[$]/$$/g' >"$dependencies"
