import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { DraftMention } from "@parley/core/model/state";
import {
  decodeText,
  encodeText,
  type TextWithMentions,
} from "../../../../kit/message-field/emoticon-chars.ts";
import type { MessageField } from "../../../../kit/message-field/use-message-field.ts";
import type { MentionTarget } from "../../message/conversation-ui.ts";
import { MentionField } from "./mention-field.ts";
import type { MentionQuery } from "./mention-text.ts";

/** The query of the open popover, and where its `@` is on the screen. */
export interface OpenMentionQuery extends MentionQuery {
  /** px from the left of the window. */
  readonly left: number;
}

/** Gets a key before the field does; returns true if it used the key. */
export type MentionKeyHandler = (event: KeyboardEvent) => boolean;

interface MentionOptions {
  /** False in private chats, which have no mentions. */
  isEnabled: boolean;
  initial: { readonly draft: string; readonly draftMentions: readonly DraftMention[] };
}

/** The mentions of the field. */
export function useMentions(
  { field, layer, fieldLayer, composing }: MessageField,
  { isEnabled, initial }: MentionOptions,
) {
  const popoverKeyHandler = useRef<MentionKeyHandler | null>(null);
  const mentionField = useRef<MentionField | null>(null);
  const [query, setQuery] = useState<OpenMentionQuery | null>(null);
  const listId = useId();
  /** The option that the arrow keys have reached in the popover. */
  const [activeOptionId, setActiveOptionId] = useState<string | null>(null);

  const [initialContent] = useState(() =>
    encodeText({ text: initial.draft, mentions: initial.draftMentions }),
  );
  const [actions] = useState(() => ({
    fieldValue: (): TextWithMentions =>
      mentionField.current?.value ?? { ...initialContent, text: field.current?.value ?? initialContent.text },
    /** The mentions of the text as it is sent and stored. */
    current: () => decodeText(actions.fieldValue()).mentions,
    textChanged: (inputType?: string) => mentionField.current?.textChanged(inputType),
    updateQuery: () => mentionField.current?.updateQuery(),
    close: () => mentionField.current?.close(),
    reset: (text: string, mentions: readonly DraftMention[]) =>
      mentionField.current?.reset(encodeText({ text, mentions })),
    pick: (person: MentionTarget) => mentionField.current?.pick(person),
    insertMentions: (people: readonly MentionTarget[]) => mentionField.current?.insertMentions(people),
    handleKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) =>
      mentionField.current?.handleKeyDown(event) ?? false,
  }));

  useEffect(() => {
    if (!isEnabled || field.current === null || layer.current === null) return;
    const parts = {
      field: field.current,
      layer: layer.current,
      fieldLayer,
      composing,
      popoverKeyHandler,
      onQuery: setQuery,
    };
    mentionField.current = new MentionField(parts, actions.fieldValue().mentions);
    return mentionField.current.attach();
  }, [field, layer, fieldLayer, composing, isEnabled, actions]);

  const popover = {
    id: listId,
    keyHandler: popoverKeyHandler,
    onActive: setActiveOptionId,
    onPick: actions.pick,
  };
  /** Attributes of the field. */
  const combobox = activeOptionId !== null && {
    "aria-autocomplete": "list" as const,
    "aria-controls": listId,
    "aria-activedescendant": activeOptionId,
  };
  return { query, popover, combobox, ...actions } as const;
}

/** The mentions of a field. */
export type Mentions = ReturnType<typeof useMentions>;
