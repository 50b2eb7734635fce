import { ChatType } from "@parley/protocol/codes";
import type {
  CallResult,
  GroupMessage,
  PrivateMessage,
  QuoteMessage,
  SystemMessage,
  Tip,
} from "@parley/protocol/message";

/** Checks of fields from the wire: the types say what a server should send, and foreign servers may send something else. */

/** The largest time that `Date` can represent; formatting a later one throws. */
const TIME_MAX = 8_640_000_000_000_000;

/** Whether a value is a non-negative safe integer. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= TIME_MAX;
}

/** A boolean field; anything but `true` is false. */
export function flagOf(value: unknown): boolean {
  return value === true;
}

/** A text field; anything else is empty. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A text field; anything else is null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A time in epoch ms; anything else is null. */
export function timeOrNull(value: unknown): number | null {
  return isTime(value) ? (value as number) : null;
}

/** A number field; anything else becomes `fallback`. */
export function numberOr<T>(value: unknown, fallback: T): number | T {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

/** Whether a row has a valid id, sender, chat, time and type. All other fields are optional. */
export function isCompleteChatRow(row: PrivateMessage | GroupMessage, type: ChatType): boolean {
  const targetId: unknown = (row as Partial<PrivateMessage & GroupMessage>)[
    type === ChatType.GROUP ? "groupId" : "recvId"
  ];
  return isId(row.id) && isId(row.sendId) && isId(targetId) && isTime(row.sendTime) && isType(row.type);
}

/** Whether a system row has a valid id, seqNo, time and type. */
export function isCompleteSystemRow(row: SystemMessage): boolean {
  return isId(row.id) && isId(row.seqNo) && isTime(row.sendTime) && isType(row.type);
}

function isType(type: unknown): boolean {
  return Number.isSafeInteger(type);
}

/** A quote if all of its fields are valid, else null. */
export function quoteOf(quote: QuoteMessage | null | undefined): QuoteMessage | null {
  const isComplete =
    isObject(quote) &&
    [quote.id, quote.sendId].every(isId) &&
    [quote.type, quote.status].every(isType) &&
    typeof quote.content === "string";
  return isComplete ? quote : null;
}

/** A tip if all of its fields are valid, else null. */
export function tipOf(tip: Tip | null | undefined): Tip | null {
  const isComplete =
    isObject(tip) && typeof tip.key === "string" && isObject(tip.params) && isFlat(Object.values(tip.params));
  return isComplete ? tip : null;
}

/** The result of a call if all of its fields are valid, else null. */
export function callResultOf(value: CallResult | null | undefined): CallResult | null {
  const isComplete = isObject(value) && typeof value.result === "string" && Number.isFinite(value.seconds);
  return isComplete ? value : null;
}

/** The numbers of an array field; anything else is left out. */
export function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];
}

/** Whether all fields of an entry are scalars, except those named. */
export function isFlatEntry(value: Record<string, unknown>, except: readonly string[] = []): boolean {
  return isFlat(Object.entries(value).flatMap(([name, field]) => (except.includes(name) ? [] : [field])));
}

function isFlat(values: readonly unknown[]): boolean {
  return values.every((value) => value === null || typeof value !== "object");
}

function isObject<T extends object>(value: T | null | undefined): value is T {
  return typeof value === "object" && value !== null;
}
