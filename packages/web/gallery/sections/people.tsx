import { JoinMode } from "@parley/protocol/codes";
import { AlertsRow } from "../../src/features/contacts/alerts-row.tsx";
import { FriendList, useFoundFriends } from "../../src/features/contacts/friend-list.tsx";
import { FriendRequests, FriendRequestsPage } from "../../src/features/contacts/friend-screen.tsx";
import { FoundPerson } from "../../src/features/contacts/add-friend-dialog.tsx";
import { RemarkRow } from "../../src/features/contacts/remark-row.tsx";
import { FoundGroup } from "../../src/features/groups/join-group-dialog.tsx";
import { GroupList, useFoundGroups } from "../../src/features/groups/group-list.tsx";
import { GroupRequestCard, GroupRequests } from "../../src/features/groups/group-requests.tsx";
import { MemberRow } from "../../src/features/groups/member-list.tsx";
import { SearchPanelList } from "../../src/kit/search/search-panel.tsx";
import { useClientState } from "../../src/kit/loading/use-client.ts";
import { FRIEND, GROUP, ME, friendVO, groupVO, userInfo } from "@parley/core/testing/builders";
import { Avatar } from "../../src/ui/avatar.tsx";
import { KeyValueList } from "../../src/ui/key-value-list.tsx";
import { PickRow, PickedRow } from "../../src/ui/pick-row.tsx";
import { RowList } from "../../src/ui/row-list.tsx";
import { ADMIN, ASKED, ASKED_GROUP, LONG_NAME, MUTED, STRANGER } from "../sample-state.ts";
import { Sample, Samples as Row } from "../sample.tsx";
import styles from "../gallery.module.css";

const ignore = () => undefined;
const picture = <Avatar name="林晓" id={FRIEND} size={32} />;
const pickStates = [{}, { isPicked: true }, { isPicked: true, isLocked: true }, { isActive: true }] as const;
const NUMBERS = Array.from({ length: 500 }, (_, index) => index);
/** What people outside see of a group. */
const STRANGE_GROUP = { headImage: null, headImageThumb: null, membersCount: 0 };
const NO_NAME = { userName: "someone" };

/** Rows of friends, groups and members, requests and results of searches for them. */
export function Samples() {
  const friends = useFoundFriends("");
  const groups = useFoundGroups("");
  const groupRequests = useClientState((state) => state.groups.requests);
  const list = { isCollapsed: false, onOpen: ignore };
  return (
    <Row>
      <Sample name="friends; the first is selected">
        <div className={styles.list}>
          <FriendList sections={friends} selected={FRIEND} {...list} />
        </div>
      </Sample>
      <Sample name="collapsed">
        <div className={styles.collapsedList}>
          <FriendList sections={friends} selected={FRIEND} {...list} isCollapsed />
        </div>
      </Sample>
      <Sample name="groups">
        <div className={styles.list}>
          <GroupList sections={groups} selected={GROUP} {...list} />
        </div>
      </Sample>
      <Sample name="members: me, admin, friend, muted, long name">
        <div className={styles.list}>
          {[ME, ADMIN, FRIEND, MUTED, LONG_NAME].map((userId) => (
            <MemberRow key={userId} groupId={GROUP} userId={userId} />
          ))}
        </div>
      </Sample>
      <Sample name="friend requests above the list">
        <div className={styles.list}>
          <FriendRequests />
        </div>
      </Sample>
      <Sample name="requests to join">
        <div className={styles.list}>
          <GroupRequests />
        </div>
      </Sample>
      <Sample name="requests to join one group">
        <div className={styles.list}>
          {groupRequests.slice(0, 1).map((request) => (
            <GroupRequestCard key={request.id} request={request} isMine={false} />
          ))}
        </div>
      </Sample>
      <Sample name="page of all friend requests" isWide>
        <FriendRequestsPage />
      </Sample>
      <Sample name="found people: friend, me, stranger, asked, asks me">
        <div className={styles.list}>
          <SearchPanelList>
            {[
              userInfo({ id: FRIEND, nickName: "林晓" }),
              userInfo({ nickName: "小林" }),
              userInfo({ ...NO_NAME, id: 30, nickName: "A person with a very long name 名字很长很长" }),
              userInfo({ ...NO_NAME, id: ASKED, nickName: "Dan" }),
              userInfo({ ...NO_NAME, id: STRANGER, nickName: "美玲" }),
            ].map((person) => (
              <FoundPerson key={person.id} person={person} onCloseDialog={ignore} onDone={ignore} />
            ))}
          </SearchPanelList>
        </div>
      </Sample>
      <Sample name="found groups: mine, asked, open, with approval, by invitation">
        <div className={styles.list}>
          <SearchPanelList>
            {[
              groupVO({ name: "周末徒步" }),
              groupVO({ id: ASKED_GROUP, name: "Readers" }),
              groupVO({ id: 31, name: "A group with a very long name 名字很长很长" }),
              { ...STRANGE_GROUP, id: 32, name: "Climbers", joinMode: JoinMode.APPROVAL },
              { ...STRANGE_GROUP, id: 33, name: "书友", joinMode: JoinMode.INVITATION },
            ].map((group) => (
              <FoundGroup key={group.id} group={group} onCloseDialog={ignore} onDone={ignore} />
            ))}
          </SearchPanelList>
        </div>
      </Sample>
      <Sample name="people to pick: not picked, picked, locked, reached by keys">
        <div className={styles.list} role="listbox" aria-label="People">
          {pickStates.map((state, index) => (
            <PickRow
              key={index}
              position={index + 1}
              count={pickStates.length}
              isPicked={false}
              isLocked={false}
              isActive={false}
              picture={picture}
              name="林晓 with a very long name that does not fit"
              note={"isLocked" in state ? "在群里" : undefined}
              {...state}
            />
          ))}
        </div>
      </Sample>
      <Sample name="picked people">
        <div className={styles.list} role="list">
          <PickedRow picture={picture} name="林晓" removeLabel="Remove" onRemove={ignore} />
          <PickedRow
            picture={picture}
            name="A locked person with a very long name"
            removeLabel="Remove"
            onRemove={null}
          />
        </div>
      </Sample>
      <Sample name="remark: set, none">
        <KeyValueList>
          <RemarkRow friend={friendVO({ remarkNickName: "Bo (work)" })} />
          <RemarkRow friend={friendVO()} />
        </KeyValueList>
      </Sample>
      <Sample name="notifications of a friend: on, off">
        <KeyValueList>
          <AlertsRow friend={friendVO()} />
          <AlertsRow friend={friendVO({ msgRemind: 0, isDnd: true })} />
        </KeyValueList>
      </Sample>
      <Sample name="500 rows, of which only some are mounted" height={200}>
        <RowList items={NUMBERS} keyOf={(number) => number} rowHeight={32} listLabel="Numbers">
          {(number) => `Row ${number}`}
        </RowList>
      </Sample>
    </Row>
  );
}
