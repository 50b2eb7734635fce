import type { Benchmark, ResultRow } from "../benchmark.ts";
import { medianRatio } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import { setUpGroups, startLoadGenerator, withProfile } from "./setup.ts";
import { alternate, describeRounds } from "./alternate.ts";

const SOCKETS = 200;
const IN_FLIGHT = 8;
const WARM_UP_MESSAGES = 600;
const ALONE = { rounds: 9, messages: 150 };
const TOGETHER = { rounds: 9, messages: 400 };

/** Server CPU of a durable group message, per socket that it reaches. */
export const groupFanout: Benchmark = {
  name: "group",
  async measure(context): Promise<ResultRow[]> {
    const loadGenerator = startLoadGenerator(context);
    context.print(`group: creating a group of ${SOCKETS + IN_FLIGHT} people`);
    const { product, reference } = await setUpGroups(context, loadGenerator, IN_FLIGHT, SOCKETS);
    const send = (messages: number, concurrency: number) => (server: ServerProcess) =>
      loadGenerator.callChild("sendGroup", { origin: server.origin, messages, concurrency });
    for (const server of [product, reference]) {
      await send(WARM_UP_MESSAGES, IN_FLIGHT)(server);
      await send(ALONE.messages, 1)(server);
    }
    const common = { product, reference, parts: SOCKETS };
    const alone = await alternate(context, {
      ...common,
      name: "group, one at a time",
      rounds: ALONE.rounds,
      work: send(ALONE.messages, 1),
    });
    const together = await alternate(context, {
      ...common,
      name: `group, ${IN_FLIGHT} in flight`,
      rounds: TOGETHER.rounds,
      work: send(TOGETHER.messages, IN_FLIGHT),
    });
    if (context.profileFolder !== null) {
      await withProfile(context, product, "group-alone-product", () => send(ALONE.messages * 4, 1)(product));
      await withProfile(context, product, "group-together-product", () =>
        send(TOGETHER.messages * 2, IN_FLIGHT)(product),
      );
    }
    await loadGenerator.callChild("closeAll");
    const what = `server CPU per delivery of a group message to ${SOCKETS} sockets`;
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
