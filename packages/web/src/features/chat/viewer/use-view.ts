import { useEffect, useEffectEvent, useReducer, useState } from "react";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { openView, reduceView, type ViewAction } from "./view-state.ts";

interface ViewInput {
  /** The keys of the items to show, in the order of the messages. */
  keys: readonly string[];
  startKey: string;
  /** Items are still being loaded, so that one may appear which is missing now. */
  isSearching: boolean;
  onClose: () => void;
}

/** The state of the viewer. It follows the list of items, and closes the viewer when none is left or the wanted one does not exist. */
export function useView({ keys, startKey, isSearching, onClose }: ViewInput) {
  const t = useText();
  const [view, dispatch] = useReducer(reduceView, startKey, (key) => openView(keys, key));
  // What fingers and the wheel change follows them at once; what a key or a button changes moves there.
  const [isFollowing, setFollowing] = useState(false);

  const { current } = view;
  const updateList = useEffectEvent((newKeys: readonly string[]) => {
    const isGone = current !== null && view.keys.includes(current) && !newKeys.includes(current);
    if (isGone) toasts.long(t("viewer.gone"));
    dispatch({ kind: "list", keys: newKeys });
  });
  const list = JSON.stringify(keys);
  useEffect(() => updateList(JSON.parse(list) as string[]), [list]);

  const isOver = current === null;
  const isMissing = !isOver && !isSearching && !view.keys.includes(current);
  const close = useEffectEvent(() => {
    if (isMissing) toasts.long(t("viewer.gone"));
    onClose();
  });
  useEffect(() => {
    if (isOver || isMissing) close();
  }, [isOver, isMissing]);

  const act = (action: ViewAction) => {
    setFollowing(false);
    dispatch(action);
  };
  const follow = (action: ViewAction) => {
    setFollowing(true);
    dispatch(action);
  };
  return { view, dispatch, act, follow, isFollowing, setFollowing } as const;
}
