import { hash } from "node:crypto";

/** Half of a SHA-256: no two rows have the same by accident. */
const HASH_DIGITS = 32;
const SUM_BITS = 128;

/**
 * Counts the rows of a table and sums their hashes. Two databases with the same rows have the same count and sum, in whatever order
 * they give them; a row that is there twice counts twice.
 */
export class TableDigest {
  #count = 0;
  #sum = 0n;

  /** Adds a row. Its values must be in the same order for all rows. Throws on a value of another kind. */
  add(values: readonly unknown[]): void {
    const row = hash("sha256", values.map(canonical).join());
    this.#count += 1;
    this.#sum = BigInt.asUintN(SUM_BITS, this.#sum + BigInt(`0x${row.slice(0, HASH_DIGITS)}`));
  }

  get count(): number {
    return this.#count;
  }

  /** Hexadecimal. */
  get checksum(): string {
    return this.#sum.toString(16).padStart(HASH_DIGITS, "0");
  }
}

/** With its length, so that no two lists of values have the same text. */
function canonical(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text${value.length}:${value}`;
  if (typeof value === "bigint" || typeof value === "number") return `number:${value}`;
  if (Buffer.isBuffer(value)) return `bytes${value.length}:${value.toString("hex")}`;
  throw new TypeError(`a value of the type ${typeof value} cannot be compared`);
}
