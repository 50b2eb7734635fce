/** What a message of each kind may contain. */
import { MessageType } from "@parley/protocol/codes";
import { CONTENT_MAX } from "@parley/protocol/limits";
import { type Kind, businessCardContent, fileContent, imageContent, kindOf } from "@parley/protocol/message";
import { countCodePoints, isVisible, visibleFileName } from "@parley/protocol/text";
import { type AcquaintancesReads, findKnown } from "../../access/acquaintance.ts";
import { isEncodedPicture } from "../../access/picture-urls.ts";
import { ApiError, malformedField } from "../../api/api-error.ts";
import type { MessagesReads } from "./messages-store.ts";
import { smallPicture } from "../../presenters/small-picture.ts";

type Schema = NonNullable<Kind["schema"]>;

export interface MessageContentDeps {
  store: AcquaintancesReads & Pick<MessagesReads, "findFile">;
  /** Whether red envelopes and transfers may be sent. An external service creates them. */
  isMoneyAllowed: boolean;
  /** How many characters a text may have. */
  textMax(): number;
}

/** Returns the content to store for the content that this person sends at this time. Throws if the kind does not allow it. */
export type ValidateContent = (
  type: number,
  content: string,
  from: { userId: number; now: number },
) => string | Promise<string>;

export function createMessageContent({
  store,
  isMoneyAllowed,
  textMax,
}: MessageContentDeps): ValidateContent {
  /**
   * Takes only the id from the client. Name and picture come from the store, and only of a person whom the sender may know of: a card would
   * show anybody to the sender, and let its receivers ask for a friendship.
   */
  async function validateCard(content: string, from: { userId: number; now: number }): Promise<string> {
    const card = parse(content);
    const claimed = typeof card === "object" && card !== null && "userId" in card ? card.userId : undefined;
    const userId = check(businessCardContent.shape.userId, claimed, ["content", "userId"]);
    const user = await findKnown(store, from.userId, userId, from.now);
    return JSON.stringify({ userId, nickName: user.nickName, headImage: smallPicture(user) });
  }

  /** The size that readers see is that of the stored file, whatever the sender says. */
  async function validateFile(kind: Kind, content: string): Promise<string> {
    const sent = validateJson(fileContent, kind, parse(content));
    const checked = isVisible(sent.name) ? sent : { ...sent, name: visibleFileName(sent.name) };
    const file = await store.findFile(checked.url);
    // An unknown file is refused when the message is stored; a repeated send is answered even then.
    return JSON.stringify(file === undefined ? checked : { ...checked, size: file.bytes });
  }

  return (type, content, from) => {
    const kind = requireSendableKind(type, isMoneyAllowed);
    if (kind.content === "text") return validateText(content, textMax());
    if (content.length > CONTENT_MAX)
      throw malformedField("content", `longer than ${CONTENT_MAX} characters`);
    if (type === MessageType.BUSINESS_CARD) return validateCard(content, from);
    if (type === MessageType.IMAGE) return validateImage(kind, content);
    if (type === MessageType.FILE) return validateFile(kind, content);
    if (kind.schema !== undefined) return JSON.stringify(validateJson(kind.schema, kind, parse(content)));
    if (content !== "") throw malformedField("content", "must be empty");
    return content;
  };
}

/** Checks a text, also the new text of an edit. */
export function validateText(content: string, max: number): string {
  // A string has at least as many UTF-16 units as code points, so most texts need no counting.
  if (content.length > max && countCodePoints(content) > max) {
    throw new ApiError("message.tooLong", { max });
  }
  if (!isVisible(content)) throw new ApiError("message.empty");
  return content;
}

function requireSendableKind(type: number, isMoneyAllowed: boolean): Kind {
  const kind = kindOf(type);
  const isAllowed = kind?.sendable === true || (kind?.sendable === "money" && isMoneyAllowed);
  if (kind === undefined || !isAllowed) throw new ApiError("message.typeNotAllowed");
  return kind;
}

/** Clients that follow spec §7 name the two URLs alone. Readers always get the sides: 0 is an unknown one. */
function validateImage(kind: Kind, content: string): string {
  const sent = parse(content);
  const complete = typeof sent === "object" ? { width: 0, height: 0, ...sent } : sent;
  return JSON.stringify(validateJson(imageContent, kind, complete));
}

function validateJson<S extends Schema>(
  schema: S,
  { maxLengths = {}, pictureFields = [] }: Kind,
  sent: unknown,
): ReturnType<S["parse"]> {
  const checked = check(schema, sent, ["content"]);
  const value = checked as Record<string, unknown>;
  for (const [field, max] of Object.entries(maxLengths)) {
    if (countCodePoints(String(value[field])) > max) {
      throw malformedField(`content.${field}`, `longer than ${max} characters`);
    }
  }
  for (const field of pictureFields) {
    if (!isEncodedPicture(String(value[field]))) {
      throw malformedField(`content.${field}`, "must be a picture of this server");
    }
  }
  return checked;
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw malformedField("content", "is not JSON");
  }
}

/** Validates a value by a schema, which drops unknown fields. */
function check<S extends Schema>(schema: S, value: unknown, path: readonly string[]): ReturnType<S["parse"]> {
  const parsed = schema.safeParse(value);
  // The schema's own `parse` has this type.
  if (parsed.success) return parsed.data as ReturnType<S["parse"]>;
  const issue = parsed.error.issues[0];
  throw malformedField([...path, ...(issue?.path ?? [])].join("."), issue?.message ?? "is wrong");
}
