import type { Figure, Row } from "../figure.ts";
import { medianRatio } from "../median.ts";
import type { ServerProcess } from "../process/server-process.ts";
import { openGroups, openSwarm, profiled } from "./rig.ts";
import { alternate, told } from "./rounds.ts";

const SOCKETS = 200;
const IN_FLIGHT = 8;
const WARM_UP_MESSAGES = 600;
const ALONE = { rounds: 9, messages: 150 };
const TOGETHER = { rounds: 9, messages: 400 };

/** CPU of the server for one durable group message, for each of the sockets that it reaches. */
export const groupFanout: Figure = {
  name: "group",
  async measure(bench): Promise<Row[]> {
    const swarm = openSwarm(bench);
    bench.say(`group: making a group of ${SOCKETS + IN_FLIGHT} people`);
    const { product, reference } = await openGroups(bench, swarm, IN_FLIGHT, SOCKETS);
    const send = (messages: number, lanes: number) => (server: ServerProcess) =>
      swarm.ask("sendGroup", { origin: server.origin, messages, lanes });
    for (const server of [product, reference]) {
      await send(WARM_UP_MESSAGES, IN_FLIGHT)(server);
      await send(ALONE.messages, 1)(server);
    }
    const common = { product, reference, parts: SOCKETS };
    const alone = await alternate(bench, {
      ...common,
      name: "group, one at a time",
      rounds: ALONE.rounds,
      work: send(ALONE.messages, 1),
    });
    const together = await alternate(bench, {
      ...common,
      name: `group, ${IN_FLIGHT} in flight`,
      rounds: TOGETHER.rounds,
      work: send(TOGETHER.messages, IN_FLIGHT),
    });
    if (bench.profileFolder !== null) {
      await profiled(bench, product, "group-alone-product", () => send(ALONE.messages * 4, 1)(product));
      await profiled(bench, product, "group-together-product", () =>
        send(TOGETHER.messages * 2, IN_FLIGHT)(product),
      );
    }
    await swarm.ask("closeAll");
    const what = `server CPU a delivery of a group message to ${SOCKETS} sockets`;
    return [
      {
        what: `${what}, one at a time`,
        ...told(alone),
        value: medianRatio(alone.product.cost, alone.reference.cost),
        unit: "x",
        bound: "at most",
        limit: 1.6,
        aim: 1.25,
      },
      {
        what: `${what}, ${IN_FLIGHT} in flight`,
        ...told(together),
        value: medianRatio(together.product.cost, together.reference.cost),
        unit: "x",
        bound: "at most",
        limit: 1,
        aim: 0.7,
      },
    ];
  },
};
