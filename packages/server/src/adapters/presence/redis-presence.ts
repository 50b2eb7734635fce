import { randomBytes } from "node:crypto";
import type { Presence } from "../../ports/presence.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { createMemoryPresence } from "./memory-presence.ts";

/** After this time without a sign of life, the entries of a node vanish. */
const LEASE_MS = 45_000;
/** How often what has changed is written. */
const WRITE_MS = 50;
/** Fields of one command. */
const BATCH = 1_000;
/** Fields that one step of a count looks at: few enough that Redis answers others in between. */
const COUNTED_AT_ONCE = 1_000;
/** A field that every complete hash has. */
const COMPLETE = "complete";

/**
 * Asks the hashes of all nodes but one for some fields. KEYS[1]: the set of the nodes' names. ARGV: the name of the one, then the fields.
 * Answers fields and values in turn. Nodes whose lease is over leave the set.
 */
const ASK = `
  local found = {}
  for _, node in ipairs(redis.call('smembers', KEYS[1])) do
    local key = KEYS[1] .. ':' .. node
    if node == ARGV[1] then
      -- It answers for itself.
    elseif redis.call('exists', key) == 0 then
      redis.call('srem', KEYS[1], node)
    else
      for i, value in ipairs(redis.call('hmget', key, unpack(ARGV, 2))) do
        if value then
          found[#found + 1] = ARGV[i + 1]
          found[#found + 1] = value
        end
      end
    end
  end
  return found`;

export interface RedisPresenceOptions {
  connection: RedisConnection;
  /** The key of the set of nodes, and the begin of the keys of their hashes: the same for all nodes of an installation, and for nobody else. */
  key: string;
  /** How long the entries of a node that died stay, ms. They are renewed three times in that time. */
  leaseMs?: number;
}

/**
 * Presence over all nodes. Each has a hash in Redis with what it knows, which expires unless the node renews it, so that a node that died
 * vanishes. A node answers for itself from its memory, and asks Redis about all others in one round trip. While Redis is away, the answer is
 * what this node knows. Create it before the connection starts, and close the connection after it.
 */
export function createRedisPresence({ connection, key, leaseMs = LEASE_MS }: RedisPresenceOptions): Presence {
  const local = createMemoryPresence();
  const node = randomBytes(9).toString("base64url");
  const ownKey = `${key}:${node}`;
  const report = connection.reporter("Redis refuses presence");
  const changedPeople = new Set<number>();
  const changedDevices = new Set<string>();
  /** Whether Redis may lack more than what has changed. */
  let isIncomplete = true;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const valueOf = (terminals: readonly number[]) =>
    terminals.length === 0 ? undefined : terminals.join(",");
  /** The fields of these people and devices, and their values; undefined for those that have gone. */
  const fieldsOf = (people: Iterable<number>, devices: Iterable<string>): [string, string | undefined][] => [
    ...Array.from(people, (id): [string, string | undefined] => [
      personField(id),
      valueOf(local.terminalsOf(id)),
    ]),
    ...Array.from(devices, (id): [string, string | undefined] => [
      deviceField(id),
      local.heardAt(id)?.toString(),
    ]),
  ];

  /** Writes what has changed and renews the lease. False if Redis has lost what was written before. */
  const writeChanges = async (): Promise<boolean> => {
    const fields = fieldsOf(changedPeople, changedDevices);
    changedPeople.clear();
    changedDevices.clear();
    const gone = fields.flatMap(([field, value]) => (value === undefined ? [field] : []));
    return connection.run(async (client) => {
      const commands = client.multi().hExists(ownKey, COMPLETE);
      for (const batch of batchesOf(presentOf(fields))) commands.hSet(ownKey, batch);
      for (const batch of batchesOf(gone)) commands.hDel(ownKey, batch);
      const [isThere] = await commands.pExpire(ownKey, leaseMs).sAdd(key, node).exec();
      return Number(isThere) === 1;
    });
  };

  const writeAll = async (): Promise<void> => {
    isIncomplete = false;
    changedPeople.clear();
    changedDevices.clear();
    const fields = presentOf(fieldsOf(local.userIds(), local.devices()));
    await connection.run((client) => {
      const commands = client.multi().del(ownKey);
      for (const batch of batchesOf([...fields, COMPLETE, ""])) commands.hSet(ownKey, batch);
      return commands.pExpire(ownKey, leaseMs).sAdd(key, node).exec();
    });
  };

  const write = async (): Promise<void> => {
    try {
      if (isIncomplete || !(await writeChanges())) await writeAll();
    } catch (error) {
      isIncomplete = true;
      report(error);
    }
  };
  let writing: Promise<void> = Promise.resolve();
  /** Writes soon, together with what changes until then. */
  const writeSoon = (): void => {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      writing = writing.then(() => {
        timer = undefined;
        return write();
      });
    }, WRITE_MS);
    timer.unref();
  };
  /** Whether a change can be written to Redis. While Redis is away, nothing is noted: everything is written when it comes back. */
  const noteChange = (device: string): boolean => {
    if (connection.client === undefined) {
      isIncomplete = true;
      return false;
    }
    changedDevices.add(device);
    return true;
  };
  const changed = (userId: number, device: string): void => {
    if (!noteChange(device)) return;
    changedPeople.add(userId);
    writeSoon();
  };
  connection.prepare(async () => {
    isIncomplete = true;
    writeSoon();
  });
  const renewal = setInterval(() => {
    if (connection.client !== undefined) writeSoon();
  }, leaseMs / 3);
  renewal.unref();

  /** The values of these fields at the other nodes. */
  const ask = async (fields: readonly string[]): Promise<[field: string, value: string][]> => {
    if (fields.length === 0) return [];
    try {
      const answers = await connection.run((client) =>
        Promise.all(
          batchesOf(fields).map((batch) => client.eval(ASK, { keys: [key], arguments: [node, ...batch] })),
        ),
      );
      return answers.flatMap((answer) => pairsOf(answer as string[]));
    } catch (error) {
      report(error);
      return [];
    }
  };

  /** Calls `add` with the field of each person at the other nodes. */
  const eachPersonElsewhere = async (add: (field: string) => void): Promise<void> => {
    const names = await connection.run((client) => client.sMembers(key));
    for (const name of names.filter((other) => other !== node)) {
      let cursor = "0";
      do {
        const from = cursor;
        const options = { MATCH: personField("*"), COUNT: COUNTED_AT_ONCE };
        const page = await connection.run((client) => client.hScan(`${key}:${name}`, from, options));
        for (const { field } of page.entries) add(field);
        ({ cursor } = page);
      } while (cursor !== "0");
    }
  };

  return {
    connected(socket, now) {
      local.connected(socket, now);
      changed(socket.userId, socket.device);
    },
    disconnected(socket) {
      local.disconnected(socket);
      changed(socket.userId, socket.device);
    },
    heard(device, now) {
      local.heard(device, now);
      // Written with the next change or the next renewal, because devices are heard every few seconds, and a page counts as frozen after 90 s.
      noteChange(device);
    },
    async online(userIds) {
      const byField = new Map(userIds.map((id) => [personField(id), id]));
      const [online, others] = await Promise.all([local.online(userIds), ask([...byField.keys()])]);
      for (const [field, value] of others) {
        const id = byField.get(field) ?? 0;
        const terminals = new Set([...(online.get(id) ?? []), ...value.split(",").map(Number)]);
        online.set(
          id,
          [...terminals].toSorted((a, b) => a - b),
        );
      }
      return online;
    },
    async countOnline() {
      const people = new Set(Array.from(local.userIds(), (id) => personField(id)));
      try {
        await eachPersonElsewhere((field) => people.add(field));
        return people.size;
      } catch (error) {
        report(error);
        return undefined;
      }
    },
    async lastHeard(devices) {
      const byField = new Map(devices.map((id) => [deviceField(id), id]));
      const [heard, others] = await Promise.all([local.lastHeard(devices), ask([...byField.keys()])]);
      for (const [field, value] of others) {
        const id = byField.get(field) ?? "";
        heard.set(id, Math.max(heard.get(id) ?? 0, Number(value)));
      }
      return heard;
    },
    async close() {
      isClosed = true;
      clearInterval(renewal);
      clearTimeout(timer);
      await writing;
      await local.close();
      await connection
        .run((client) => client.multi().del(ownKey).sRem(key, node).exec())
        // The lease does it a little later.
        .catch(report);
    },
  };
}

function personField(userId: number | "*"): string {
  return `person ${userId}`;
}

function deviceField(device: string): string {
  return `device ${device}`;
}

/** Fields and values in turn, of those that have a value. */
function presentOf(fields: readonly [string, string | undefined][]): string[] {
  return fields.flatMap(([field, value]) => (value === undefined ? [] : [field, value]));
}

function batchesOf(all: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, n) =>
    all.slice(n * BATCH, (n + 1) * BATCH),
  );
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n] ?? "", flat[2 * n + 1] ?? ""]);
}
