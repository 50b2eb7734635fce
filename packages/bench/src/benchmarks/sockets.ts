import { randomBytes } from "node:crypto";
import { Terminal } from "@parley/protocol/codes";
import type { BenchmarkContext, Benchmark, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";
import { createReferenceLogin } from "../friend-pairs.ts";
import { inParallel, createPerson } from "../benchmark-person.ts";
import { startProduct, startReference, type ServerProcess } from "../process/server-process.ts";
import type { LoadGenerator } from "../process/load-generator-process.ts";
import type { SocketLogin } from "../load/socket.ts";
import { cpuOf, startLoadGenerator, profiled, subfolder } from "./setup.ts";

const SOCKETS = 3_000;
/** Sockets that come and go first, so that what is measured is no longer the compiler. */
const WARM_UP_SOCKETS = 1_000;
const ROUNDS = 5;
const KIB = 1_024;

interface Round {
  /** CPU microseconds a socket login. */
  cpu: number;
  /** Bytes an idle socket. */
  rss: number;
  heap: number;
}

/** What an idle logged-in socket weighs, and what its login costs, against a bare `ws` server. Every socket is another person. */
export const sockets: Benchmark = {
  name: "sockets",
  async measure(benchmarkContext): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(benchmarkContext);
    const secret = randomBytes(32).toString("hex");
    const theirs = Array.from({ length: WARM_UP_SOCKETS + SOCKETS }, (_, index) =>
      createReferenceLogin(secret, index + 1, index, Terminal.WEB),
    );
    const folder = subfolder(benchmarkContext, "product");
    const ours = await makeLogins(benchmarkContext, folder);

    const product: Round[] = [];
    const reference: Round[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const ourServer = await startProduct(folder);
      product.push(await measureRound(benchmarkContext, loadGenerator, "product", ourServer, ours));
      const bareServer = await startReference("sockets", { SECRET: secret });
      reference.push(await measureRound(benchmarkContext, loadGenerator, "reference", bareServer, theirs));
      benchmarkContext.print(
        `sockets, round ${round} of ${ROUNDS}: ${words(product.at(-1))} against ${words(reference.at(-1))}`,
      );
    }

    const of = (rounds: Round[], part: keyof Round) => rounds.map((round) => round[part]);
    const memory = (part: "rss" | "heap", name: string): ResultRow => {
      const mine = median(of(product, part));
      const bare = median(of(reference, part));
      return {
        what: `memory an idle socket at ${SOCKETS}, ${name}: more than bare ws`,
        product: kib(mine),
        reference: kib(bare),
        value: (mine - bare) / KIB,
        unit: "KiB",
        bound: "at most",
        limit: 12,
      };
    };
    return [
      memory("rss", "resident"),
      memory("heap", "heap after gc"),
      {
        what: "server CPU a socket login",
        product: `${median(of(product, "cpu")).toFixed(0)} us`,
        reference: `${median(of(reference, "cpu")).toFixed(0)} us`,
        value: medianRatio(of(product, "cpu"), of(reference, "cpu")),
        unit: "x",
        bound: "at most",
        limit: 2,
      },
    ];
  },
};

function kib(bytes: number): string {
  return `${(bytes / KIB).toFixed(1)} KiB`;
}

function words(round: Round | undefined): string {
  return round === undefined
    ? ""
    : `${kib(round.rss)} (heap ${kib(round.heap)}), ${round.cpu.toFixed(0)} us a login`;
}

/** Registers everybody once; the rounds start the server anew on the same data. */
async function makeLogins(benchmarkContext: BenchmarkContext, folder: string): Promise<SocketLogin[]> {
  const server = await startProduct(folder);
  benchmarkContext.onEnd(() => server.stop());
  const count = WARM_UP_SOCKETS + SOCKETS;
  benchmarkContext.print(`sockets: registering ${count} people`);
  const people = await inParallel(count, 16, (index) => createPerson(server.origin, `person${index}`));
  await server.stop();
  return people.map((person) => person.login);
}

async function measureRound(
  benchmarkContext: BenchmarkContext,
  loadGenerator: LoadGenerator,
  name: string,
  server: ServerProcess,
  logins: readonly SocketLogin[],
): Promise<Round> {
  benchmarkContext.onEnd(() => server.stop());
  const { origin } = server;
  const before = await server.callChild("memory");
  await loadGenerator.callChild("openIdle", { origin, logins: logins.slice(0, WARM_UP_SOCKETS) });
  await loadGenerator.callChild("closeIdle");
  const measured = logins.slice(WARM_UP_SOCKETS);
  const logIn = () => loadGenerator.callChild("openIdle", { origin, logins: measured });
  const cpu = await cpuOf(server, () => profiled(benchmarkContext, server, `socket-login-${name}`, logIn));
  const after = await server.callChild("memory");
  await loadGenerator.callChild("closeIdle");
  await server.stop();
  return {
    cpu: cpu / SOCKETS,
    rss: (after.rss - before.rss) / SOCKETS,
    heap: (after.heapUsed - before.heapUsed) / SOCKETS,
  };
}
