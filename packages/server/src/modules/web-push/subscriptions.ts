/** Subscribes and unsubscribes the device of a session. */
import { PUSH_SUBSCRIPTIONS_MAX } from "@parley/protocol/limits";
import { ApiError, malformedField } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Transactions } from "../../ports/store.ts";
import type { WebPushSender } from "../../ports/web-push.ts";
import type { WebPushWrites } from "../../ports/web-push-store.ts";

export interface WebPushSubscriptionsDeps {
  store: Transactions<WebPushWrites>;
  bus: Bus;
  /** Null: this server sends no web push. */
  webPush: Pick<WebPushSender, "flawOf"> | null;
}

export function createWebPushSubscriptions({
  store,
  bus,
  webPush,
}: WebPushSubscriptionsDeps): Pick<Handlers, "subscribeWebPush" | "unsubscribeWebPush"> {
  return {
    async subscribeWebPush({ actor, body, language, now }) {
      if (webPush === null) throw new ApiError("request.notFound");
      const { endpoint, p256dh, auth, preview } = body;
      const flaw = webPush.flawOf(body);
      if (flaw !== undefined) throw malformedField("endpoint", flaw);
      const { userId, sessionId } = actor;
      const subscription = { sessionId, userId, endpoint, p256dh, auth, language };
      await store.write((tx) =>
        tx.putWebPushSubscription(
          { ...subscription, hasPreview: preview, createdAt: now },
          PUSH_SUBSCRIPTIONS_MAX,
        ),
      );
      bus.publish({ kind: "webPushSubscribed", userId });
      return null;
    },

    async unsubscribeWebPush({ actor }) {
      await store.write((tx) => tx.deleteWebPushSubscription(actor.sessionId));
      return null;
    },
  };
}
