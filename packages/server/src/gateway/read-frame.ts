import { type ClientFrame, clientFrame } from "@parley/protocol/frame";
import type { RawData } from "ws";

/** The frame of a client; undefined if it is none. */
export function parseFrame(data: RawData): ClientFrame | undefined {
  // The library joins fragments, so the text of a message is one buffer.
  if (!Buffer.isBuffer(data)) return undefined;
  try {
    const parsed = clientFrame.safeParse(JSON.parse(data.toString("utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Some clients URI-encode the token as they do in the header. Decoding does not change a token that is not encoded. */
export function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
