import type { UserInfo } from "@parley/protocol/entities";
import { isVisible } from "@parley/protocol/text";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { SearchPanel } from "../../kit/search-panel.tsx";
import { useClient } from "../../kit/use-client.ts";
import { useServerSearch } from "../../kit/use-server-search.ts";
import { FailureText } from "../../ui/failure-text.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FoundPerson } from "./found-person.tsx";

/** Finds people by a part of their name and sends friend requests. */
export function AddFriendDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { contacts } = useClient();
  const search = useServerSearch<UserInfo>({
    find: (name) => (!isVisible(name) ? t("search.keywordNeeded") : contacts.search(name.trim())),
  });
  return (
    <Dialog isOpen onClose={onClose} title={t("friend.add")} width={480} isFlush>
      <SearchPanel
        search={search}
        label={t("friend.findLabel")}
        hint={t("friend.findHint")}
        emptyText={t("friend.findEmpty")}
        renderFailure={(failure) => <FailureText text={failureText(failure, t)} />}
      >
        {(person) => (
          <FoundPerson key={person.id} person={person} onCloseDialog={onClose} onDone={search.focus} />
        )}
      </SearchPanel>
    </Dialog>
  );
}
