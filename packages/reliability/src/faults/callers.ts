/** Real clients that can call each other, without microphones and without a network between their connections. */
import { createCallService } from "@parley/core/calls/call-service";
import type { CallPorts, PeerConnectionPort } from "@parley/core/call-ports";
import type { SignedInClientOptions } from "@parley/core/signed-in-client";
import { type FakeConnection, createFakeCallPorts } from "@parley/core/testing/fake-call-ports";
import type { TestPerson } from "@parley/server/testing/test-person";
import { type ClientDevice, type ClientDeviceOptions, startDevice } from "./client-device.ts";

/** Starts clients whose calls connect with those of the others that it has started. */
export interface Callers {
  start(person: TestPerson, options?: Partial<ClientDeviceOptions>): Promise<ClientDevice>;
}

/** Nobody has started yet. */
export function createCallers(): Callers {
  const link = createLink();
  return {
    start(person, options = {}) {
      const loadCalls: NonNullable<SignedInClientOptions["loadCalls"]> = async () => (deps) =>
        createCallService(deps, link(createFakeCallPorts(deps.ports.clock)));
      return startDevice(person, { name: `caller ${person.userName}`, ...options, sizes: { loadCalls } });
    },
  };
}

/** Connections are made as soon as the one who offered has got the answer: at both ends, and at no other time. */
function createLink(): (own: ReturnType<typeof createFakeCallPorts>) => CallPorts {
  const answering = new Map<string, PeerConnectionPort>();
  return (own) => ({
    ...own,
    peers: {
      create(handlers) {
        const connection = own.peers.create(handlers);
        const { takeDescription } = connection;
        connection.takeDescription = async (description) => {
          const answer = await takeDescription(description);
          if (answer !== null) {
            const named = { ...answer, sdp: `${answering.size} ${answer.sdp}` };
            answering.set(named.sdp, connection);
            return named;
          }
          for (const end of [connection, answering.get(description.sdp)]) {
            const fake = end as FakeConnection | undefined;
            if (fake?.isClosed === false) setImmediate(() => fake.change("connected"));
          }
          return null;
        };
        return connection;
      },
    },
  });
}
