// The control socket: the benchmark asks what this process has used so far.
import diagnostics from "node:diagnostics_channel";
import net from "node:net";
import readline from "node:readline";

let accepted = 0;
diagnostics.subscribe("net.server.socket", () => accepted++);

function stats() {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); // microseconds, KiB
  return {
    connections_accepted: accepted,
    cpu_user_ns: userCPUTime * 1000,
    cpu_system_ns: systemCPUTime * 1000,
    peak_rss_bytes: maxRSS * 1024,
  };
}

function reply(request: { get?: string }): object {
  switch (request.get) {
    case "stats":
      return stats();
    case "memory":
      globalThis.gc?.(); // there with --expose-gc
      return { freed: globalThis.gc !== undefined };
    default:
      return { error: "this server does not know how to answer that" };
  }
}

// answerControl answers requests on the control socket, if this process was given one.
export function answerControl(): void {
  if (process.env["GREET_CONTROL"] !== "3") {
    return;
  }
  const socket = new net.Socket({ fd: 3 });
  socket.unref();
  readline.createInterface({ input: socket }).on("line", (line) => {
    socket.write(`${JSON.stringify(reply(JSON.parse(line)))}\n`);
  });
}
