/** `npm run bench`: runs the benchmarks, prints a table, and fails if a limit is exceeded. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import type { BenchmarkContext, Benchmark, ResultRow } from "./benchmark.ts";
import { isWithinLimit } from "./benchmark.ts";
import { backup } from "./benchmarks/backup.ts";
import { calls } from "./benchmarks/calls.ts";
import { chatFilter } from "./benchmarks/chat-filter.ts";
import { coreInbox } from "./benchmarks/core-inbox.ts";
import { groupCommit } from "./benchmarks/group-commit.ts";
import { groupFanout } from "./benchmarks/group-fanout.ts";
import { groupReactions } from "./benchmarks/group-reactions.ts";
import { LONG_CHAT_MESSAGES, longChat, REFERENCE_MESSAGES } from "./benchmarks/long-chat.ts";
import { metrics } from "./benchmarks/metrics.ts";
import { nodes } from "./benchmarks/nodes.ts";
import { sendCost } from "./benchmarks/send-cost.ts";
import { socketFloods } from "./benchmarks/socket-floods.ts";
import { sockets } from "./benchmarks/sockets.ts";
import { typing } from "./benchmarks/typing.ts";
import { uploads } from "./benchmarks/uploads.ts";
import { webScroll } from "./benchmarks/web-scroll.ts";
import { webStart } from "./benchmarks/web-start.ts";
import { writeReport } from "./report.ts";
import { plainTable } from "./result-table.ts";

const BENCHMARKS: readonly Benchmark[] = [
  sendCost,
  metrics,
  nodes,
  groupCommit,
  groupFanout,
  groupReactions,
  typing,
  sockets,
  socketFloods,
  uploads,
  backup,
  coreInbox,
  webStart,
  webScroll,
  longChat,
  chatFilter,
  calls,
];
const names = BENCHMARKS.map((benchmark) => benchmark.name).join(", ");
const usage = `npm run bench -- [name ... | --write] [--profile folder] [--messages number]
  name        some benchmarks instead of all: ${names}
  --write     replaces the table in docs/benchmarks.md
  --profile   writes CPU profiles of the server there
  --messages  messages of the long chat, ${LONG_CHAT_MESSAGES} if left out
`;

/** On the disk of the checkout, because a temporary folder may be in memory, where a commit costs nothing. */
const cache = fileURLToPath(new URL("../../../node_modules/.cache", import.meta.url));
const cleanUps: (() => Promise<void> | void)[] = [];

async function cleanUp(): Promise<void> {
  for (let run = cleanUps.pop(); run !== undefined; run = cleanUps.pop()) await run();
}

async function measure(
  benchmark: Benchmark,
  options: Pick<BenchmarkContext, "profileFolder" | "longChatMessages">,
): Promise<ResultRow[]> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `bench-${benchmark.name}-`));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const context: BenchmarkContext = {
    folder,
    ...options,
    print: (text) => console.error(text),
    onEnd: (run) => void cleanUps.push(run),
  };
  try {
    return await benchmark.measure(context);
  } finally {
    await cleanUp();
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      write: { type: "boolean" },
      profile: { type: "string" },
      messages: { type: "string", default: String(LONG_CHAT_MESSAGES) },
      help: { type: "boolean" },
    },
  });
  const isPartial = positionals.length > 0;
  const unknown = positionals.filter((name) => BENCHMARKS.every((benchmark) => benchmark.name !== name));
  const selected = BENCHMARKS.filter(({ name }) => !isPartial || positionals.includes(name));
  // The page must have all results of one run.
  const isPartialPage = values.write === true && isPartial;
  const longChatMessages = Number(values.messages);
  const isTooShort = !(longChatMessages > REFERENCE_MESSAGES);
  if (values.help === true || unknown.length > 0 || isPartialPage || isTooShort) {
    console.error(usage);
    return values.help === true ? 0 : 1;
  }
  if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true });
  const options = { profileFolder: values.profile ?? null, longChatMessages };
  const rows: ResultRow[] = [];
  for (const benchmark of selected) rows.push(...(await measure(benchmark, options)));
  console.log(plainTable(rows));
  if (values.write === true) writeReport(rows);
  const failed = rows.filter((row) => !isWithinLimit(row));
  for (const row of failed) console.error(`over its limit: ${row.what}`);
  return failed.length === 0 ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}
process.exitCode = await main();
