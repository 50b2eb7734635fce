import { useState } from "react";
import { MessageType } from "@parley/protocol/codes";
import { CONTENT_EXAMPLES } from "@parley/protocol/kind-examples";
import { FRIEND_CHAT, GROUP_CHAT } from "@parley/core/testing/builders";
import {
  ConversationUiProvider,
  createConversationUi,
} from "../../src/features/chat/message/conversation-ui.ts";
import { ReactionsDialog } from "../../src/features/chat/message/reactions/reactions-dialog.tsx";
import { Conversation } from "../conversation.tsx";
import { FEW, MANY, REACTED_ID, UNSENT_ID } from "../sample-reactions.ts";
import { inGroup, mine, theirs } from "../sample-rows.ts";
import { Opener, Sample } from "../sample.tsx";
import { LONG_TEXT } from "../sample-state.ts";

function DialogSample({ id, close }: { id: number; close: () => void }) {
  const [ui] = useState(() => createConversationUi(FRIEND_CHAT));
  return (
    <ConversationUiProvider value={ui}>
      <ReactionsDialog id={id} first={null} onClose={close} />
    </ConversationUiProvider>
  );
}

const picture = {
  type: MessageType.IMAGE,
  content: JSON.stringify(CONTENT_EXAMPLES[MessageType.IMAGE][0]),
};

/** Reactions in every state. Hover over a message or press "+" for the quick ones. */
export function Samples() {
  return (
    <>
      <Sample name="few, many, below a long text" isWide>
        <Conversation
          messages={[
            theirs(1, { extra: FEW }),
            mine(2, { extra: FEW }),
            theirs(3, { content: "好", extra: MANY }),
            mine(4, { content: LONG_TEXT, extra: MANY }),
          ]}
        />
      </Sample>
      <Sample name="not sent yet: 🎉 added, 👍 taken back" isWide>
        <Conversation messages={[theirs(UNSENT_ID, { extra: FEW })]} />
      </Sample>
      <Sample name="in a group; below the pictures of a grid" isWide>
        <Conversation
          chatKey={GROUP_CHAT}
          messages={[
            inGroup(1, { content: "周五聚餐", extra: MANY }),
            inGroup(2, picture),
            inGroup(3, { ...picture, extra: FEW }),
            inGroup(4, { ...picture, extra: FEW }),
          ]}
        />
      </Sample>
      <Opener name="who has reacted">{(close) => <DialogSample id={REACTED_ID} close={close} />}</Opener>
      <Opener name="nobody has reacted any more">{(close) => <DialogSample id={0} close={close} />}</Opener>
    </>
  );
}
