import { listVoters } from "@parley/protocol/endpoints/message-extras";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { Dialog } from "../../../../ui/dialog.tsx";
import { EmptyState } from "../../../../ui/empty-state.tsx";
import { ChatsIllustration } from "../../../../ui/illustrations.tsx";
import { Row, Text } from "../../../../ui/layout.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { PeoplePages } from "../people-pages.tsx";
import dialogStyles from "../message-dialogs.module.css";

/** Lists who voted in a poll, by option. It is updated while it is open. */
export function VotersDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const { api } = useClient();
  const { key } = useConversationUi();
  const extra = useClientState(
    (state) => state.chats.byKey[key]?.window.messages.find((one) => one.id === id)?.extra,
  );
  const chosen = (extra?.poll?.options ?? []).flatMap((text, option) => {
    const tally = extra?.votes?.find((vote) => vote.key === String(option));
    return tally === undefined ? [] : [{ text, option, count: tally.count }];
  });
  return (
    <Dialog isOpen onClose={onClose} title={t("poll.people")} width={400}>
      {chosen.length === 0 ? (
        <EmptyState illustration={<ChatsIllustration />} text={t("poll.noVotes")} />
      ) : (
        <div className={dialogStyles.list} tabIndex={0} role="group" aria-label={t("poll.people")}>
          {chosen.map(({ text, option, count }) => (
            <section key={option} aria-label={text}>
              <Row
                as="h3"
                gap={8}
                justify="between"
                paddingY={8}
                size={13}
                tone="secondary"
                className={dialogStyles.heading}
              >
                <bdi>{text}</bdi>
                <Text nowrap>{t("poll.votes", { count })}</Text>
              </Row>
              <PeoplePages
                load={(after) =>
                  api.call(listVoters, { query: { id, option, after } }, { isShownInPlace: true })
                }
                version={`${id} ${option} ${count} ${extra?.v}`}
              />
            </section>
          ))}
        </div>
      )}
    </Dialog>
  );
}
