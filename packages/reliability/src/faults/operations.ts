/** Every write of the API as one call that a client repeats if no answer came. */
import { isWriting } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import type { Envelope } from "@parley/protocol/envelope";
import type { Failpoint } from "@parley/server/ports/failpoints";
import { inputWith } from "@parley/server/testing/endpoint-input";
import { type Ids, idFieldsOf } from "@parley/server/testing/id-fields";
import type { Scenario } from "./scenario.ts";
import { type Effect, MAKE_REQUEST, type Write, WRITES } from "./writes.ts";

/** One write. */
export interface Operation extends Effect {
  name: string;
  endpoint: EndpointName;
  perform(scenario: Scenario, preparedId: number): Promise<Envelope>;
  /** A send: all repetitions with a tmpId return the same row. */
  isSend: boolean;
  /** Failpoints that it does not pass. */
  skippedFailpoints: readonly Failpoint[];
  /** Failpoints of which it passes at least one. */
  alternativeFailpoints: readonly Failpoint[];
}

const PUSHES: readonly Failpoint[] = ["beforePushSelf", "beforePushPeer"];
const SKIPPED_FAILPOINTS: Readonly<Record<NonNullable<Write["tells"]>, readonly Failpoint[]>> = {
  self: ["beforePushPeer"],
  others: ["beforePushSelf"],
  nobody: ["beforePublish", "afterPublish", ...PUSHES],
  somebody: [],
};

/** The ids of a call that its write does not name. */
function idsOf(scenario: Scenario, preparedId: number): Ids {
  return {
    group: scenario.groupId,
    person: scenario.bob.id,
    privateMessage: scenario.private.mine,
    groupMessage: scenario.group.mine,
    notice: preparedId,
    groupRequest: preparedId,
    friendRequest: preparedId,
  };
}

function operationOf(endpoint: EndpointName, write: Write): Operation {
  const { name = endpoint, by = "ann", input, tells, ...effect } = write;
  const [request] = idFieldsOf(ENDPOINTS[endpoint]).flatMap(({ things: [thing, ...others] }) =>
    others.length === 0 ? (MAKE_REQUEST[thing] ?? []) : [],
  );
  const isSend = endpoint === "sendPrivateMessage" || endpoint === "sendGroupMessage";
  return {
    async perform(scenario, preparedId) {
      // The same in each repetition, for the endpoints that take one.
      const fields = { tmpId: `made ${scenario.tag}`, ...input?.(scenario, preparedId) };
      const given = inputWith(ENDPOINTS[endpoint], fields, idsOf(scenario, preparedId));
      return (await scenario[by].call<EndpointName>(endpoint, given as never)).envelope;
    },
    ...(request !== undefined && { before: request }),
    ...effect,
    name,
    endpoint,
    isSend,
    skippedFailpoints: tells === undefined ? [] : SKIPPED_FAILPOINTS[tells],
    alternativeFailpoints: tells === "somebody" ? PUSHES : [],
  };
}

/**
 * Whether an endpoint is about calls of people. What it does depends on which clients have a socket, and a fault takes the sockets away:
 * `modules/calls/call-chaos.test.ts` of the server runs calls with lost sockets and restarts.
 */
function isOfCalls(endpoint: EndpointName): boolean {
  return ENDPOINTS[endpoint].path.startsWith("/webrtc/");
}

/** Whether an endpoint is for administrators. The people of the scenario are none; `administration.test.ts` of the server calls them. */
function isOfAdministrators(endpoint: EndpointName): boolean {
  return ENDPOINTS[endpoint].path.startsWith("/admin/");
}

/** Whether an endpoint changes data of the people of the scenario. */
export function isWrite(endpoint: EndpointName): boolean {
  return isWriting(ENDPOINTS[endpoint]) && !isOfCalls(endpoint) && !isOfAdministrators(endpoint);
}

/** All operations: every endpoint that writes, and those of the table. */
export const OPERATIONS: readonly Operation[] = (Object.keys(ENDPOINTS) as EndpointName[]).flatMap(
  (endpoint) => {
    const writes: readonly Write[] = WRITES[endpoint] ?? (isWrite(endpoint) ? [{ tells: "somebody" }] : []);
    return writes.map((write) => operationOf(endpoint, write));
  },
);

/** The operation with this name. */
export function operationNamed(name: string): Operation {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation has the name ${name}`);
  return operation;
}
