import { MessageType } from "@parley/protocol/codes";
import type { Client } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";

/** Sends the contact card of a friend, or one's own, to a chat. Says whether this person has one. */
export function sendCard(client: Client, to: ChatKey, userId: number): boolean {
  const { contacts, me } = client.getState();
  const person = userId === me?.id ? me : contacts.friends[userId];
  if (person === undefined) return false;
  const headImage = person.headImageThumb || person.headImage || null;
  const card = { userId, nickName: person.nickName, headImage };
  client.chats.sendContent(to, MessageType.BUSINESS_CARD, JSON.stringify(card));
  return true;
}
