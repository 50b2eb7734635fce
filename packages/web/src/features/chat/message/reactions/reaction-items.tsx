import { useState } from "react";
import { SmilePlus } from "lucide-react";
import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { MenuRow, MenuRowItem, MenuSeparator } from "../../../../ui/menu.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { hasReacted, quickReactions, toggleReaction } from "./reaction-acts.ts";
import { reactionName, ReactionSymbol } from "./reaction-symbol.tsx";

interface ReactionItemsProps {
  message: ChatMessage;
  /** Where the menu is. */
  x: number;
  y: number;
  /** There are other items below. */
  hasLine: boolean;
}

/** The quick reactions as a row of the menu of a message. */
export function ReactionItems({ message, x, y, hasLine }: ReactionItemsProps) {
  const t = useText();
  const ui = useConversationUi();
  const [reactions] = useState(quickReactions);
  return (
    <>
      <MenuRow label={t("reaction.add")}>
        {reactions.map((reaction) => (
          <ReactionItem key={reaction} message={message} reaction={reaction} />
        ))}
        <MenuRowItem
          label={t("reaction.more")}
          onSelect={() => ui.set({ messageMenu: null, reactionPicker: { key: message.key, x, y } })}
        >
          <SmilePlus {...ICON_PROPS} />
        </MenuRowItem>
      </MenuRow>
      {hasLine && <MenuSeparator />}
    </>
  );
}

function ReactionItem({ message, reaction }: { message: ChatMessage; reaction: string }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isMine = useClientState((state) => hasReacted(message, reaction, state));
  return (
    <MenuRowItem
      label={reactionName(reaction, t)}
      isOn={isMine}
      onSelect={() => {
        ui.set({ messageMenu: null });
        toggleReaction(message, reaction, { client, ui });
      }}
    >
      <ReactionSymbol reaction={reaction} />
    </MenuRowItem>
  );
}
