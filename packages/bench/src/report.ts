import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { arch, cpus, release, totalmem, type as system } from "node:os";
import { fileURLToPath } from "node:url";
import type { ResultRow } from "./benchmark.ts";
import { markdownTable } from "./result-table.ts";

const page = fileURLToPath(new URL("../../../docs/benchmarks.md", import.meta.url));

/** Rewrites docs/benchmarks.md with these rows. */
export function writeReport(rows: readonly ResultRow[]): void {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  writeFileSync(
    page,
    `# Benchmarks

\`npm run bench\` measures these figures and fails if one is over its limit; \`npm run bench -- --write\` rewrites this page.
Every time is compared with a minimal reference that is measured on the same machine in the same minutes, in alternating rounds, and
medians are compared. So a slow or busy machine affects both sides, and no absolute time decides anything. Sizes and counts have
absolute limits.

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

- **Servers** run in their own processes. The product is started by its \`main.ts\` as people start it (\`RATE_LIMITS=off\`,
  \`PASSWORD_COST=low\`, \`LOG_LEVEL=warn\`). CPU is user and system time of all threads of the process. The load is generated in
  another process, over plain TCP connections for HTTP and \`ws\` for sockets, because an HTTP client would cost more than the servers.
- **A durable 1:1 message** is posted over a keep-alive connection with an access token, is on disk (\`synchronous=FULL\`) before it is
  answered, and reaches the peer's socket and the sender's second device. There are 64 senders. Saturated: each posts its next message
  when the previous one is answered. Paced: 500 messages per second in total. A round ends when the last push has arrived. The reference,
  \`packages/bench/src/reference/message-server.ts\`, does the same work with \`node:http\`, \`ws\` and \`better-sqlite3\`, without framework,
  validation or rules, and with group commit too.
- **Nodes** (\`npm run bench -- nodes\`; needs PostgreSQL and Redis on the machine, which the benchmark starts for itself): the CPU of the server process
  for the same message on PostgreSQL and on SQLite, without that of PostgreSQL. The time of a commit is that of one message alone, beside a
  bare \`pg\` client that stores a row under the same kind of lock. Two nodes with Redis: 64 senders write over each node to friends who
  are connected to the other one, and the CPU of both is counted; the reference is one of them with 64 senders and their friends. The last row is
  what a node with 5,000 idle sockets does in a minute, which includes looking for lost pushes when there are none, less what a node does
  in the same minute that has as many, but no Redis, and so does not look. It is measured before the others, because servers fill the search
  index for minutes after a load.
- **Metrics** (\`npm run bench -- metrics\`): the same message, saturated, on two servers of the product at the same time. One counts
  (\`METRICS_TOKEN\`) and is asked for its metrics every 15 seconds, the other does not. 40 rounds of 5,000 messages for each.
- **Many senders and one** compares the product with itself. The store counts commits.
- **A group message** is posted to a group of 208 people of whom 200 are connected, is on disk before it is answered, and reaches their
  200 sockets; the cost is divided by 200. One at a time: one writer. 8 in flight: eight writers, each posting its next message when the
  previous one is answered. The reference is the message server above, which sends each message with \`ws\` once for every socket.
- **Sockets**: 3,000 people with one socket each, after 1,000 others connected and left. Each round uses a new server and tokens of an
  earlier one, as when everybody reconnects after a restart. Memory is the growth of the process since its start per socket, after forced
  garbage collection: resident memory and used heap. The reference is a bare \`ws\` server that verifies the token and answers. The row
  with 20,000 compares the product with itself: memory per socket with 3,000 of them and with all, once. Where a process may not open
  that many files, there are as many sockets as fit, and the row says so.
- **Flooding sockets** (\`npm run bench -- socket-floods\`): a process of lower priority opens sockets, half of them logged in, writes 2,000 heartbeats at
  a time as fast as the connection takes them, and connects again 100 ms after each close. Meanwhile and without it, another person of the same address
  asks for their profile every 20 ms. The product runs with its rate limits. Three rounds of 150 requests for each number of sockets.
- **Uploads**: multipart bodies of 192 MiB over one connection, durable before they are answered. The reference,
  \`packages/bench/src/reference/upload-server.ts\`, writes bodies to the disk without looking at them. Memory is that of the process
  after forced garbage collection. Messages are sent one after the other while another request uploads ten photos of 20 megapixels
  at the same time, and, in turn, while it does not.
- **A backup**: eight senders post a message every 20 ms while \`npm run admin -- backup\` archives 200,000 messages and 256 MiB of files, and
  then for as long without it. The 99th percentile is that of all messages of five rounds.
- **The client's core** receives 5,000 frames of an offline pull for 200 chats through its socket, compared with \`JSON.parse\` of
  the same frames. Storage, network and clock are in memory.
- **The web client** is the built one, in Chromium. Size and requests count what was loaded until the password field or the first
  message was painted, except API calls; scripts and styles are measured after gzip. Cold is a new browser profile that has a
  session's tokens and preferences but no database and no cache, with 20 chats and 2,000 messages on the server; it opens the first
  chat as soon as it is listed. Warm is the reload afterwards, which opens the same chat. Both are timed from the navigation.
- **Scrolling**: the same page is scrolled by 120 px in each frame from the end of a chat to its first message: a chat of 500 different
  pictures of 960 x 720 px, and a chat of 500 texts. Frames are those of \`requestAnimationFrame\`. Memory is the proportional set size of all
  processes of the browser, each second, at its peak, and counted from before the scrolling.
- **A long chat**: two servers, each with one chat of two people that \`npm run seed -- --messages\` wrote: 2,000 messages, and 1,000,000
  (\`--messages\` of this command sets another number). Both chats have days of about 550 messages, so that their screens look alike; the
  short one has only a few such days, the long one has one each day for five years. In each round both are opened in a new browser
  profile, one after the other, in alternating order. Timed in the page until the frame in which the result is painted: opening the chat
  from the list; scrolling 240 messages up and down again at its end, out of the local database; jumping from the calendar to a day more
  than a year ago; scrolling there, out of the server; and searching for a number that one message contains, which
  the browser does not have yet, from the request until the hit is shown. Rows are those that are mounted at the end, heap is that of the
  page after forced garbage collection. The messages that the browser keeps are counted in its database after the client has cut it to its
  limits for the first time, two minutes after a start.
- **Calls** (\`npm run bench -- calls\`): real browsers of one machine, with a test camera of 320 x 240 and 30 pictures a second. The reference is
  what a browser needs at least: two connections of one page whose devices are open, and whose pictures are side by side in the window. From the
  click that answers until the first picture of the other person is shown, at the side where it comes last, after 1.5 s of ringing. The delay
  is made by a proxy, for each chunk of bytes in each direction. Bytes are those of \`outbound-rtp\` and \`inbound-rtp\`, pictures a second
  those decoded in 5 s. An outage is one of a UDP proxy before coturn, through which alone the pages may connect.
`;
