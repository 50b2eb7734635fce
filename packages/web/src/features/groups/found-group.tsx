import { useState } from "react";
import { ChatType } from "@parley/protocol/codes";
import type { GroupCard } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/rows";
import { useLocation } from "wouter";
import { chatPath } from "../../kit/chat-path.ts";
import { FoundNote, FoundRow } from "../../kit/finder.tsx";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ApplyForm } from "./apply-form.tsx";
import { useStanding } from "./use-standing.ts";

interface FoundGroupProps {
  group: GroupCard;
  /** The dialog goes, e.g. to the chat of this group. */
  onLeave: () => void;
  /** The question was put or taken back, and its form went with the focus in it. */
  onDone: () => void;
}

/** A group that was found, and what I can do: ask to join, wait, or write. */
export function FoundGroup({ group, onLeave, onDone }: FoundGroupProps) {
  const t = useText();
  const client = useClient();
  const [, navigate] = useLocation();
  const standing = useStanding(group.id);
  const [isAsking, setAsking] = useState(false);
  const picture = group.headImageThumb || group.headImage;
  return (
    <FoundRow
      data-group={group.id}
      avatar={
        <Avatar
          name={group.name}
          url={picture && client.fileUrl(picture)}
          id={group.id}
          size={40}
          shape="rounded"
        />
      }
      name={group.name}
      second={
        <>
          {t("groups.people", { count: group.membersCount })} ·{" "}
          {t("groups.numberIs", { id: String(group.id) })}
        </>
      }
      below={
        isAsking &&
        standing === "stranger" && (
          <ApplyForm
            groupId={group.id}
            onDone={() => {
              setAsking(false);
              onDone();
            }}
          />
        )
      }
    >
      {standing === "member" && (
        <>
          <FoundNote>{t("error.group.already")}</FoundNote>
          <Button
            size="small"
            onClick={() => {
              navigate(chatPath(chatKey(ChatType.GROUP, group.id)));
              onLeave();
            }}
          >
            {t("friend.message")}
          </Button>
        </>
      )}
      {standing === "asked" && <FoundNote>{t("groups.waiting")}</FoundNote>}
      {standing === "stranger" && !isAsking && (
        <Button variant="primary" size="small" onClick={() => setAsking(true)}>
          {t("groups.joinShort")}
        </Button>
      )}
    </FoundRow>
  );
}
