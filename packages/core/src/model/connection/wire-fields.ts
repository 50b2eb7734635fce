import { ChatType } from "@parley/protocol/codes";
import type {
  CallResult,
  GroupMessage,
  PrivateMessage,
  QuoteMessage,
  SystemMessage,
  Tip,
} from "@parley/protocol/message";

/** The types of the wire say what a server should send. What one does send is looked at here, before it becomes a message. */

/** A later time than any date can be would break whatever writes it. */
const TIME_MAX = 8_640_000_000_000_000;

export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= TIME_MAX;
}

export function flagOf(value: unknown): boolean {
  return value === true;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function timeOrNull(value: unknown): number | null {
  return isTime(value) ? (value as number) : null;
}

export function numberOr<T>(value: unknown, instead: T): number | T {
  return typeof value === "number" && Number.isFinite(value) ? value : instead;
}

/** Whether it can be told which message it is, whose and when; anything else may be left out. */
export function isCompleteChatRow(row: PrivateMessage | GroupMessage, type: ChatType): boolean {
  const chat: unknown = (row as Partial<PrivateMessage & GroupMessage>)[
    type === ChatType.GROUP ? "groupId" : "recvId"
  ];
  return isId(row.id) && isId(row.sendId) && isId(chat) && isTime(row.sendTime) && isType(row.type);
}

export function isCompleteSystemRow(row: SystemMessage): boolean {
  return isId(row.id) && isId(row.seqNo) && isTime(row.sendTime) && isType(row.type);
}

function isType(type: unknown): boolean {
  return Number.isSafeInteger(type);
}

export function quoteOf(quote: QuoteMessage | null | undefined): QuoteMessage | null {
  const isWhole =
    isObject(quote) &&
    [quote.id, quote.sendId].every(isId) &&
    [quote.type, quote.status].every(isType) &&
    typeof quote.content === "string";
  return isWhole ? quote : null;
}

export function tipOf(tip: Tip | null | undefined): Tip | null {
  const isWhole =
    isObject(tip) && typeof tip.key === "string" && isObject(tip.params) && isFlat(Object.values(tip.params));
  return isWhole ? tip : null;
}

export function callResultOf(act: CallResult | null | undefined): CallResult | null {
  const isWhole = isObject(act) && typeof act.result === "string" && Number.isFinite(act.seconds);
  return isWhole ? act : null;
}

export function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((one): one is number => typeof one === "number") : [];
}

/** A list's entry that came alone: all its fields are scalars, but for those named. */
export function isFlatEntry(value: Record<string, unknown>, except: readonly string[] = []): boolean {
  return isFlat(Object.entries(value).flatMap(([name, field]) => (except.includes(name) ? [] : [field])));
}

function isFlat(values: readonly unknown[]): boolean {
  return values.every((value) => value === null || typeof value !== "object");
}

function isObject<T extends object>(value: T | null | undefined): value is T {
  return typeof value === "object" && value !== null;
}
