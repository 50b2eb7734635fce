import { readChatRow } from "../model/connection/read-frame.ts";
import type { ChatKey, Failure } from "../model/state.ts";
import type { ChatApi, OutgoingMessage } from "./chat-api.ts";
import type { ChatDeps } from "./chat-store.ts";

/** Sends a message to a chat and shows the row that the server answers. Returns why it failed; null for success. */
export async function sendMessage(
  { chatApi, chatStore, me }: Pick<ChatDeps, "chatStore" | "me"> & { readonly chatApi: ChatApi },
  key: ChatKey,
  message: OutgoingMessage,
): Promise<Failure | null> {
  const result = await chatApi.send(message);
  if (!result.ok) return result.failure;
  const incoming = readChatRow(chatApi.type, key, result.value, me);
  if (incoming.kind === "chat") chatStore.dispatch([incoming.input]);
  return null;
}
