/** Starts the reverse proxies of `deploy/` for tests, each with its own file on free ports of this machine, and with a certificate for tests. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PROGRAM_FOLDERS, freePort, isExecutable, isListening } from "./local-programs.ts";

/** The proxies. */
export const PROXIES = ["caddy", "nginx", "haproxy"] as const;
export type ProxyName = (typeof PROXIES)[number];

const START_MAX_MS = 60_000;
const POLL_MS = 20;
const DEPLOY = fileURLToPath(new URL("../../../../deploy/", import.meta.url));
const FILES: Record<ProxyName, string> = { caddy: "Caddyfile", nginx: "nginx.conf", haproxy: "haproxy.cfg" };
/**
 * Runs a proxy until it ends or standard input does. Whatever ends the tests closes the input, so that no proxy outlives them. A worker of nginx ends
 * with its master, which gets a signal that it can act on.
 */
const SUPERVISOR = `exec 3<&0; "$0" "$@" </dev/null 3<&- & pid=$!;
  { cat <&3 >/dev/null; kill -TERM $pid; } 2>/dev/null & wait $pid`;

const ACCESS_LOG = "access.log";

/** A running proxy. */
export interface ReverseProxy {
  /** https://localhost:port */
  url: string;
  /** The log of the requests to nginx. */
  accessLog: string;
  stop(): Promise<void>;
}

/** A certificate for localhost that nobody trusts, as files and as text. */
export interface TestCertificate {
  cert: string;
  key: string;
  /** Certificate and key in one file. */
  both: string;
  pem: string;
}

/** Text of a configuration, and what takes its place. All of it must be there. */
export type Replacement = readonly [from: string, to: string];

function programOf(name: string): string | undefined {
  return [...PROGRAM_FOLDERS, "/usr/sbin"].map((folder) => join(folder, name)).find(isExecutable);
}

/** Whether this machine has what makes certificates. */
export function canMakeCertificates(): boolean {
  return programOf("openssl") !== undefined;
}

/** Whether tests with this proxy are skipped, because this machine has none, or nothing that makes certificates. `npm test` installs both where it can. */
export function isProxyMissing(name: ProxyName): boolean {
  return programOf(name) === undefined || !canMakeCertificates();
}

/** The file of `deploy/` for this proxy. */
export function readProxyFile(name: ProxyName): Promise<string> {
  return readFile(join(DEPLOY, FILES[name]), "utf8");
}

/** Makes a certificate for localhost in this folder. */
export async function makeCertificate(folder: string, host = "localhost"): Promise<TestCertificate> {
  const [cert, key, both] = ["cert.pem", "key.pem", "both.pem"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-days", "30"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await promisify(execFile)("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", cert]);
  const pem = await readFile(cert, "utf8");
  await writeFile(both, pem + (await readFile(key, "utf8")), { mode: 0o600 });
  return { cert, key, both, pem };
}

/** Starts a proxy with its file of `deploy/` before these servers. `changes` plants faults in the file. */
export async function startReverseProxy(
  name: ProxyName,
  certificate: TestCertificate,
  servers: readonly string[],
  changes: readonly Replacement[] = [],
): Promise<ReverseProxy> {
  const program = programOf(name);
  if (program === undefined) throw new Error(`${name} is not installed on this machine`);
  const folder = await mkdtemp(join(tmpdir(), `parley-${name}-`));
  const port = await freePort();
  const plainPort = await freePort();
  const hosts = servers.map((url) => new URL(url).host);
  const place: Place = { folder, port, plainPort, hosts, certificate };
  const file = join(folder, FILES[name]);
  const text = COMPLETE[name](
    replaceAll(await readProxyFile(name), [...ADAPTED[name](place), ...changes]),
    place,
  );
  await writeFile(file, text);
  const child = spawn("sh", ["-c", SUPERVISOR, program, ...ARGS[name](file)], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      PARLEY_SITE: `https://localhost:${port}`,
      PARLEY_NODES: hosts.join(" "),
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
  const ended = once(child, "exit");
  const stop = async () => {
    child.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const until = performance.now() + START_MAX_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      await stop();
      throw new Error(`${name} did not start: ${output}`);
    }
    await sleep(POLL_MS);
  }
  return { url: `https://localhost:${port}`, accessLog: join(folder, ACCESS_LOG), stop };
}

interface Place {
  folder: string;
  port: number;
  plainPort: number;
  /** Hosts of the servers behind the proxy, with their ports. */
  hosts: readonly string[];
  certificate: TestCertificate;
}

/** What an administrator replaces, too. */
const ADAPTED: Record<ProxyName, (place: Place) => Replacement[]> = {
  caddy: ({ certificate: { cert, key } }) => [
    ["{$PARLEY_SITE:chat.example.org} {", `{$PARLEY_SITE:chat.example.org} {\n\ttls ${cert} ${key}`],
  ],
  nginx: ({ folder, port, plainPort, hosts, certificate: { cert, key } }) => [
    ["/var/log/nginx/access.log", join(folder, ACCESS_LOG)],
    [
      "server 127.0.0.1:8080 max_fails=1 fail_timeout=5s;",
      hosts.map((host) => `server ${host} max_fails=1 fail_timeout=5s;`).join("\n"),
    ],
    ["listen 80;", `listen 127.0.0.1:${plainPort};`],
    ["listen [::]:80;", ""],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
    ["listen [::]:443 ssl http2;", ""],
    ["/etc/letsencrypt/live/chat.example.org/fullchain.pem", cert],
    ["/etc/letsencrypt/live/chat.example.org/privkey.pem", key],
  ],
  haproxy: ({ port, plainPort, hosts, certificate: { both } }) => [
    // A machine for tests may allow fewer open files.
    ["maxconn 20000", "maxconn 200"],
    ["bind :80\n", `bind 127.0.0.1:${plainPort}\n`],
    ["bind :443 ", `bind 127.0.0.1:${port} `],
    ["/etc/haproxy/certs/chat.example.org.pem", both],
    ["server one 127.0.0.1:8080", hosts.map((host, n) => `server node${n} ${host}`).join("\n  ")],
  ],
};

/** What the installation of a proxy has beside the file. */
const COMPLETE: Record<ProxyName, (text: string, place: Place) => string> = {
  // Without these, it would listen on more ports, and change what this machine trusts.
  caddy: (text, { plainPort }) =>
    `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${plainPort}\n}\n${text}`,
  nginx: (text, { folder }) => {
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const main = `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;`;
    // As root, it would write as an account that cannot enter the folder.
    const user = process.getuid?.() === 0 ? "user root;" : "";
    return `${user} ${main}\nevents {}\nhttp {\naccess_log off;\n${paths.join("\n")}\n${text}\n}\n`;
  },
  haproxy: (text) => text,
};

const ARGS: Record<ProxyName, (file: string) => string[]> = {
  caddy: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  nginx: (file) => ["-c", file, "-e", "stderr"],
  haproxy: (file) => ["-db", "-f", file],
};

function replaceAll(text: string, replacements: readonly Replacement[]): string {
  let result = text;
  for (const [from, to] of replacements) {
    if (!result.includes(from)) throw new Error(`the file has no ${JSON.stringify(from)}`);
    result = result.replace(from, () => to);
  }
  return result;
}
