#!/usr/bin/env bash
#
# Measures a server that stands still for 2 s of every 10, in open and in closed
# loops, for docs/coordinated-omission.md:
#
#	bash docs/stall.sh benchmark/results/stall.jsonl
#
# It takes half a minute and says the same on a busy machine: what it shows is the
# 2 s.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$(realpath "$1")
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT

go build -o "$scratch/" ./server ./benchmark
"$scratch/server" --connect off --tls off --grpc 127.0.0.1:0 >"$scratch/listening" &
server=$!
until [[ -s $scratch/listening ]]; do sleep 0.1; done
read -r _ _ addr <"$scratch/listening"

# Lets the capacity be measured first, which takes two seconds.
(
	sleep 5
	while kill -STOP $server; do
		sleep 2
		kill -CONT $server
		sleep 8
	done
) 2>/dev/null &

"$scratch/benchmark" --target "stalled/grpc/h2c=$addr" --scenarios open,unary --slice 10s --rounds 1 \
	--cases 'payload 16 B concurrency (1 |64 .*load 10%)' --deadline 5s --out results/stall >/dev/null
kill -CONT $server
mv results/stall/*.jsonl "$out"
rmdir results/stall
