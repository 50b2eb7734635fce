import { randomBytes } from "node:crypto";
import { Terminal } from "@parley/protocol/codes";
import type { BenchmarkContext, Benchmark, ResultRow } from "../benchmark.ts";
import { median, medianRatio } from "../median.ts";
import { createReferenceLogin } from "../friend-pairs.ts";
import { inParallel, createPerson } from "../benchmark-person.ts";
import { openFilesLimit, socketsThatFit } from "../process/open-files.ts";
import { startProduct, startReference, type ServerProcess } from "../process/server-process.ts";
import type { LoadGenerator } from "../process/load-generator-process.ts";
import type { SocketLogin } from "../load/socket.ts";
import { cpuOf, startLoadGenerator, withProfile, subfolder } from "./setup.ts";

const SOCKETS = 3_000;
/** Sockets that connect and close before the measurement, so that the JIT compiler is warm. */
const WARM_UP_SOCKETS = 1_000;
/** As many people on one node as memory per socket is promised for. */
const MANY_SOCKETS = 20_000;
const ROUNDS = 5;
const KIB = 1_024;

interface Round {
  /** CPU microseconds per socket login. */
  cpu: number;
  /** Bytes per idle socket. */
  rss: number;
  heap: number;
}

/** Memory of an idle logged-in socket and CPU of its login, compared with a bare `ws` server. Each socket belongs to another person. */
export const sockets: Benchmark = {
  name: "sockets",
  async measure(context): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(context);
    const secret = randomBytes(32).toString("hex");
    const referenceLogins = Array.from({ length: WARM_UP_SOCKETS + SOCKETS }, (_, index) =>
      createReferenceLogin(secret, index + 1, index, Terminal.WEB),
    );
    const folder = subfolder(context, "product");
    const productLogins = await registerPeople(context, folder, WARM_UP_SOCKETS + SOCKETS);

    const product: Round[] = [];
    const reference: Round[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const productServer = await startProduct(folder);
      product.push(await measureRound(context, loadGenerator, "product", productServer, productLogins));
      const bareServer = await startReference("sockets", { SECRET: secret });
      reference.push(await measureRound(context, loadGenerator, "reference", bareServer, referenceLogins));
      context.print(
        `sockets, round ${round} of ${ROUNDS}: ${describeRound(product.at(-1))} against ${describeRound(reference.at(-1))}`,
      );
    }

    const valuesOf = (rounds: Round[], part: keyof Round) => rounds.map((round) => round[part]);
    const memory = (part: "rss" | "heap", name: string): ResultRow => {
      const productMedian = median(valuesOf(product, part));
      const referenceMedian = median(valuesOf(reference, part));
      return {
        what: `memory per idle socket at ${SOCKETS}, ${name}: more than bare ws`,
        product: kib(productMedian),
        reference: kib(referenceMedian),
        value: (productMedian - referenceMedian) / KIB,
        unit: "KiB",
        bound: "at most",
        limit: 12,
      };
    };
    return [
      await measureManySockets(context, loadGenerator),
      memory("rss", "resident"),
      memory("heap", "heap after gc"),
      {
        what: "server CPU per socket login",
        product: `${median(valuesOf(product, "cpu")).toFixed(0)} us`,
        reference: `${median(valuesOf(reference, "cpu")).toFixed(0)} us`,
        value: medianRatio(valuesOf(product, "cpu"), valuesOf(reference, "cpu")),
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

function describeRound(round: Round | undefined): string {
  return round === undefined
    ? ""
    : `${kib(round.rss)} (heap ${kib(round.heap)}), ${round.cpu.toFixed(0)} us a login`;
}

/** Whether a socket costs as much among many as among few. The row says how many there were, and why if there were not enough. */
async function measureManySockets(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
): Promise<ResultRow> {
  const limit = openFilesLimit();
  const count = socketsThatFit(MANY_SOCKETS, limit);
  if (count <= SOCKETS) throw new Error(`a process may open ${limit} files only, see ulimit -n`);
  const folder = subfolder(context, "many");
  const logins = await registerPeople(context, folder, count);
  const server = await startProduct(folder);
  context.onEnd(() => server.stop());
  const { origin } = server;
  const residentMemory = async () => (await server.callChild("memory")).rss;
  const before = await residentMemory();
  await loadGenerator.callChild("openIdle", { origin, logins: logins.slice(0, SOCKETS) });
  const few = ((await residentMemory()) - before) / SOCKETS;
  // In portions, because each call has to be answered in two minutes, also by a slow machine.
  for (let from = SOCKETS; from < count; from += SOCKETS)
    await loadGenerator.callChild("openIdle", { origin, logins: logins.slice(from, from + SOCKETS) });
  const many = ((await residentMemory()) - before) / count;
  await loadGenerator.callChild("closeIdle");
  await server.stop();
  const instead =
    count < MANY_SOCKETS ? ` (not ${MANY_SOCKETS}, because a process may open ${limit} files)` : "";
  return {
    what: `memory per idle socket, resident, at ${count}${instead} : at ${SOCKETS}`,
    product: kib(many),
    reference: kib(few),
    value: many / few,
    unit: "x",
    bound: "at most",
    limit: 1.15,
  };
}

/** Registers everybody once. Each round starts a new server on the same data. */
async function registerPeople(
  context: BenchmarkContext,
  folder: string,
  count: number,
): Promise<SocketLogin[]> {
  const server = await startProduct(folder);
  context.onEnd(() => server.stop());
  context.print(`sockets: registering ${count} people`);
  const people = await inParallel(count, 16, (index) => createPerson(server.origin, `person${index}`));
  await server.stop();
  return people.map((person) => person.login);
}

async function measureRound(
  context: BenchmarkContext,
  loadGenerator: LoadGenerator,
  name: string,
  server: ServerProcess,
  logins: readonly SocketLogin[],
): Promise<Round> {
  context.onEnd(() => server.stop());
  const { origin } = server;
  const before = await server.callChild("memory");
  await loadGenerator.callChild("openIdle", { origin, logins: logins.slice(0, WARM_UP_SOCKETS) });
  await loadGenerator.callChild("closeIdle");
  const measured = logins.slice(WARM_UP_SOCKETS);
  const logIn = () => loadGenerator.callChild("openIdle", { origin, logins: measured });
  const cpu = await cpuOf(server, () => withProfile(context, server, `socket-login-${name}`, logIn));
  const after = await server.callChild("memory");
  await loadGenerator.callChild("closeIdle");
  await server.stop();
  return {
    cpu: cpu / SOCKETS,
    rss: (after.rss - before.rss) / SOCKETS,
    heap: (after.heapUsed - before.heapUsed) / SOCKETS,
  };
}
