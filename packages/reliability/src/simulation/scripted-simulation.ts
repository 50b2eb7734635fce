/** A simulation in which a test says what people do. Nothing fails, and everything is delivered as soon as the test lets it. */
import { passTime } from "./random-actions.ts";
import { deliverEverything } from "./simulated-network.ts";
import {
  type SimulatedDevice,
  type Simulation,
  type SimulationOptions,
  addDevice,
  createSimulation,
} from "./simulation.ts";

/** People who register themselves, with ids from 1, and their devices. */
export interface ScriptedSimulation {
  readonly simulation: Simulation;
  readonly devices: readonly SimulatedDevice[];
  /** Adds a device that is signed in. The first one of a person registers them, with the name in capitals. */
  startDevice(userName: string): Promise<SimulatedDevice>;
  /** Delivers everything; time stands still. */
  deliver(): Promise<void>;
  /** Lets time pass, and delivers everything. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the nodes on an empty database. */
export async function createScriptedSimulation(
  options: Partial<SimulationOptions> = {},
): Promise<ScriptedSimulation> {
  const simulation = await createSimulation({ seed: 1, steps: 0, ...options }, null);
  simulation.delayRate = 0;
  const { devices } = simulation;
  const names: string[] = [];
  const deliver = async () => {
    if (!(await deliverEverything(simulation))) throw new Error("the simulation does not become idle");
    if (simulation.problems.length > 0) throw new Error(simulation.problems.join("; "));
  };
  return {
    simulation,
    devices,
    async startDevice(userName) {
      const isNew = !names.includes(userName);
      if (isNew) names.push(userName);
      const device = addDevice(
        simulation,
        { id: names.indexOf(userName) + 1, userName },
        `${devices.length}`,
      );
      const started = isNew ? register(device) : device.start();
      await deliver();
      await started;
      await deliver();
      return device;
    },
    deliver,
    async advance(ms) {
      await passTime(simulation, ms);
      await deliver();
    },
    close: () => simulation.close(),
  };
}

async function register({ client, userName }: SimulatedDevice): Promise<void> {
  const result = await client.session.register({
    userName,
    nickName: userName.toUpperCase(),
    password: "password",
    confirmPassword: "password",
    inviteCode: "",
    headImage: null,
    headImageThumb: null,
  });
  if (!result.ok) throw new Error(`${userName} was not registered: ${JSON.stringify(result.failure)}`);
}
