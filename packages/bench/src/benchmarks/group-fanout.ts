import type { Benchmark, ResultRow } from "../benchmark.ts";
import { medianRatio } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import { setUpGroups, startLoadGenerator, profiled } from "./setup.ts";
import { alternate, describeRounds } from "./alternate.ts";

const SOCKETS = 200;
const IN_FLIGHT = 8;
const WARM_UP_MESSAGES = 600;
const ALONE = { rounds: 9, messages: 150 };
const TOGETHER = { rounds: 9, messages: 400 };

/** CPU of the server for one durable group message, for each of the sockets that it reaches. */
export const groupFanout: Benchmark = {
  name: "group",
  async measure(benchmarkContext): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(benchmarkContext);
    benchmarkContext.print(`group: making a group of ${SOCKETS + IN_FLIGHT} people`);
    const { product, reference } = await setUpGroups(benchmarkContext, loadGenerator, IN_FLIGHT, SOCKETS);
    const send = (messages: number, lanes: number) => (server: ServerProcess) =>
      loadGenerator.callChild("sendGroup", { origin: server.origin, messages, lanes });
    for (const server of [product, reference]) {
      await send(WARM_UP_MESSAGES, IN_FLIGHT)(server);
      await send(ALONE.messages, 1)(server);
    }
    const common = { product, reference, parts: SOCKETS };
    const alone = await alternate(benchmarkContext, {
      ...common,
      name: "group, one at a time",
      rounds: ALONE.rounds,
      work: send(ALONE.messages, 1),
    });
    const together = await alternate(benchmarkContext, {
      ...common,
      name: `group, ${IN_FLIGHT} in flight`,
      rounds: TOGETHER.rounds,
      work: send(TOGETHER.messages, IN_FLIGHT),
    });
    if (benchmarkContext.profileFolder !== null) {
      await profiled(benchmarkContext, product, "group-alone-product", () =>
        send(ALONE.messages * 4, 1)(product),
      );
      await profiled(benchmarkContext, product, "group-together-product", () =>
        send(TOGETHER.messages * 2, IN_FLIGHT)(product),
      );
    }
    await loadGenerator.callChild("closeAll");
    const what = `server CPU a delivery of a group message to ${SOCKETS} sockets`;
    return [
      {
        what: `${what}, one at a time`,
        ...describeRounds(alone),
        value: medianRatio(alone.product.cost, alone.reference.cost),
        unit: "x",
        bound: "at most",
        limit: 1.6,
        aim: 1.25,
      },
      {
        what: `${what}, ${IN_FLIGHT} in flight`,
        ...describeRounds(together),
        value: medianRatio(together.product.cost, together.reference.cost),
        unit: "x",
        bound: "at most",
        limit: 1,
        aim: 0.7,
      },
    ];
  },
};
