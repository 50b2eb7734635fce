/**
 * What a check of a server may find, with its English sentence. Pages for administrators write a finding in their language, by the key
 * and the parameters; the doctor and the log write the sentence.
 */
export const FINDINGS = {
  databaseUnusable: "The database takes no reads or writes now.",
  noHttps: "People reach the server without https, so browsers allow no calls, notifications or recordings.",
  filesUnusable: "Files cannot be stored: {reason}.",
  nodeSilent: "The node {node} is not heard any more.",
  redisUnusable:
    "Redis of REDIS_URL cannot be used: {reason}; check that it runs, that this machine may connect, and the password.",
  redisRefusesEvents:
    "Redis refuses events ({reason}): look at its memory, its disk and the rights of the account.",
  redisRefusesWrites:
    "Redis refuses presence and rate limits ({reason}): look at its memory, its disk and the rights of the account.",
  redisTooOld: "Redis has the version {version}; Parley needs {oldest} or later.",
  redisDeletesKeys:
    "Redis deletes keys when its memory is full (maxmemory-policy {policy}), so that people look offline and rate limits forget: set maxmemory-policy noeviction.",
  redisIsCluster:
    "Redis of REDIS_URL is a cluster, whose servers share the keys out; Parley needs one without cluster mode.",
  redisIsReplica: "Redis of REDIS_URL is a replica, which takes no writes; name the primary.",
  redisSlow:
    "Redis answers after {ms} ms; what passes between servers is late by that: put it near the servers.",
  clockAhead:
    "The clock of {whose} is {seconds} s ahead of that of this machine: let both follow a time server (NTP).",
  clockBehind:
    "The clock of {whose} is {seconds} s behind that of this machine: let both follow a time server (NTP).",
} as const;

export type FindingKey = keyof typeof FINDINGS;

/** One thing that is wrong with a server. */
export interface Finding {
  readonly key: FindingKey;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Makes a finding. */
export function finding(key: FindingKey, params: Finding["params"] = {}): Finding {
  return { key, params };
}

/** The English sentence of a finding. */
export function findingSentence({ key, params }: Finding): string {
  return FINDINGS[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
}
