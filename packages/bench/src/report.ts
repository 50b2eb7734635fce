import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { arch, cpus, release, totalmem, type as system } from "node:os";
import { fileURLToPath } from "node:url";
import type { ResultRow } from "./benchmark.ts";
import { markdownTable } from "./result-table.ts";

const page = fileURLToPath(new URL("../../../docs/benchmarks.md", import.meta.url));

/** Rewrites the page of figures. */
export function writeReport(rows: readonly ResultRow[]): void {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  writeFileSync(
    page,
    `# Benchmarks

\`npm run bench\` measures these figures and fails when one is over its limit; \`npm run bench -- --write\` rewrites this page.
Every figure is held against a bare reference that runs beside it on the same machine in the same minutes, round by round in turn, and
medians are compared. So a slow or busy machine moves both sides, and no time by the clock decides anything. Sizes and counts have
limits of their own.

Measured ${new Date().toISOString().slice(0, 10)} at ${commit()} on ${cores.length} cores (${cores[0]?.model ?? "unknown"}), ${memory} GiB, ${system()} ${release()} ${arch()}, Node ${process.versions.node}.

${markdownTable(rows)}

${notes}`,
  );
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "an unknown commit";
  }
}

const notes = `## What is measured

- **Servers** run in processes of their own, the product by its \`main.ts\` as people start it (\`RATE_LIMITS=off\`, \`PASSWORD_COST=low\`,
  \`LOG_LEVEL=warn\`). CPU is user and system time of all threads of the process, asked for over a channel to it. The load runs in
  another process, over plain TCP connections for HTTP and \`ws\` for sockets, because an HTTP client would cost more than the servers.
- **A durable 1:1 message** is posted over a keep-alive connection with an access token, is on disk (\`synchronous=FULL\`) before it is
  answered, and reaches the peer's socket and the sender's second device. 64 senders; saturated: each posts its next message when the
  last is answered; paced: 500 a second over all. A round ends when the last push has arrived. The reference,
  \`packages/bench/src/reference/message-server.ts\`, does the same work with \`node:http\`, \`ws\` and \`better-sqlite3\`, without framework,
  validation or rules, and shares commits too.
- **Many senders against one** compares the product with itself. Commits are counted by the store.
- **A group message** is posted to a group of 208 people of whom 200 are connected, is on disk before it is answered, and reaches their
  200 sockets; the cost is divided by those. One at a time: one writer; 8 in flight: eight, each posting its next message when the last
  is answered. The reference is the message server above, which hands each message to \`ws\` once for every socket.
- **Sockets**: 3,000 people, one socket each, after 1,000 others came and went, in a fresh server each round, with tokens that an
  earlier one issued: everybody comes back after a restart. Memory is what the process grew by since its start, a socket, after forced
  garbage collection: resident, and used heap. The reference is a bare \`ws\` server that verifies the token and answers.
- **The client's core** gets 5,000 frames of an offline pull for 200 chats through its socket, against \`JSON.parse\` of the same frames.
  Storage, network and clock are in memory.
- **The web client** is the built one, in Chromium. Size and requests are what was fetched until the password field or the first
  message was painted, everything but the API; scripts and styles are weighed after gzip. Cold is a fresh browser profile that has a
  session's tokens and preferences but no database and no cache, with 20 chats and 2,000 messages on the server, and opens the first
  chat as soon as it is listed; warm is the reload after it, which opens that chat by itself. Both are timed from the navigation.
`;
