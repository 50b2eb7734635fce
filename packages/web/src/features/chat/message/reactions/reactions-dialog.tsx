import { useState } from "react";
import { listReactions } from "@parley/protocol/endpoints/message-extras";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { Dialog } from "../../../../ui/dialog.tsx";
import { EmptyState } from "../../../../ui/empty-state.tsx";
import { ChatsIllustration } from "../../../../ui/illustrations.tsx";
import { Tabs } from "../../../../ui/tabs.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { PeoplePages } from "../people-pages.tsx";
import { reactionName, ReactionSymbol } from "./reaction-symbol.tsx";
import styles from "./reactions.module.css";
import dialogStyles from "../message-dialogs.module.css";

interface ReactionsDialogProps {
  id: number;
  /** The reaction that is shown at first; null: the first one. */
  first: string | null;
  onClose: () => void;
}

/** Lists who has reacted to a message, by reaction. It is updated while it is open. */
export function ReactionsDialog({ id, first, onClose }: ReactionsDialogProps) {
  const t = useText();
  const { api } = useClient();
  const { key } = useConversationUi();
  const tallies = useClientState(
    (state) => state.chats.byKey[key]?.window.messages.find((one) => one.id === id)?.extra?.reactions,
  );
  const [chosen, setChosen] = useState(first);
  const tab = tallies?.find((tally) => tally.key === chosen) ?? tallies?.[0];
  return (
    <Dialog isOpen isFlush onClose={onClose} title={t("reaction.title")} width={400}>
      {tallies === undefined || tab === undefined ? (
        <EmptyState illustration={<ChatsIllustration />} text={t("reaction.nobody")} />
      ) : (
        <Tabs
          label={t("reaction.title")}
          value={tab.key}
          onChange={setChosen}
          tabs={tallies.map(({ key: reaction, count }) => {
            const label = `${reactionName(reaction, t)} ${count}`;
            return {
              value: reaction,
              text: (
                <span className={styles.tab} aria-label={label} role="img">
                  <ReactionSymbol reaction={reaction} /> {count}
                </span>
              ),
              content: (
                <div className={dialogStyles.list} tabIndex={0} role="group" aria-label={label}>
                  <PeoplePages
                    load={(after) =>
                      api.call(
                        listReactions,
                        { query: { id, key: reaction, after } },
                        { isShownInPlace: true },
                      )
                    }
                    version={`${id} ${reaction} ${count}`}
                  />
                </div>
              ),
            };
          })}
        />
      )}
    </Dialog>
  );
}
