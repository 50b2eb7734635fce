/** strace around a server: records its system calls, or lets some of them fail. */
import { spawnSync } from "node:child_process";

/** Why nothing can be traced here; undefined: it can. */
export function whyNotTraced(): string | undefined {
  if (process.platform !== "linux") return "there is no strace but on Linux";
  const { error, status, stderr } = spawnSync("strace", ["-o", "/dev/null", "-e", "trace=none", "true"], {
    encoding: "utf8",
  });
  if (error !== undefined) return "strace is not installed";
  return status === 0 ? undefined : `strace may not trace: ${stderr.trim()}`;
}

/** The tracer goes aside, so that what is started and killed is the server itself. */
const ASIDE = ["strace", "-D", "-f", "--seccomp-bpf"] as const;

/** All that changes files, and all that goes out through sockets. */
const CALLS =
  "openat,open,creat,mkdir,mkdirat,write,writev,pwrite64,pwritev,pwritev2,ftruncate,truncate,fallocate,copy_file_range,sendfile," +
  "rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,fsync,fdatasync,sendto,sendmsg";
/** Longer than any piece that the server writes at once in these tests. */
const TEXT_MAX = 1_000_000;

/** Writes every call into this file, with all bytes. */
export function recordingCalls(to: string): string[] {
  return [...ASIDE, "-y", "-xx", "-s", String(TEXT_MAX), "-o", to, "-e", `trace=${CALLS}`];
}

/** Lets the n-th call of each thread fail. */
export function failingCall(call: "fsync" | "pwrite64", error: "EIO" | "ENOSPC", nth: number): string[] {
  // The bytes go to a file of the database either way; SQLite calls one or the other.
  const calls = call === "fsync" ? "fsync,fdatasync" : call;
  return [
    ...ASIDE,
    "-qqq",
    "-o",
    "/dev/null",
    "-e",
    `trace=${calls}`,
    "-e",
    `inject=${calls}:error=${error}:when=${nth}`,
  ];
}
