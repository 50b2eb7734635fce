import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import { shiftMentions } from "@parley/core/model/chats/mentions";
import type { DraftMention } from "@parley/core/model/state";
import { loadTexts } from "../../../../kit/i18n.ts";
import { ChunkError, loadChunk } from "../../../../kit/load-chunk.ts";
import { encodeText, decodeText, type TextWithMentions } from "../emoticon-chars.ts";
import type { FieldLayer } from "../field-layer.ts";
import type { MentionTarget } from "../../message/conversation-ui.ts";
import type { MentionField } from "./mention-field.ts";
import type { MentionQuery } from "./mention-query.ts";

/** The names to choose from are open: for whom the words look, and where the `@` stands. */
export interface OpenMentionQuery extends MentionQuery {
  /** px from the left of the window. */
  readonly left: number;
}

/** Gets a key before the field does; true when it took it. */
export type MentionKeyHandler = (event: KeyboardEvent) => boolean;

interface MentionOptions {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Under the field, and what draws there. */
  layer: RefObject<HTMLElement | null>;
  drawn: FieldLayer;
  composing: { readonly current: boolean };
  /** Nobody is named in a private chat, which need not load how. */
  isOn: boolean;
  start: { readonly draft: string; readonly draftMentions: readonly DraftMention[] };
}

/** Who is named in the field. What knows how comes behind the first paint of a group; words can be typed before. */
export function useMentions({ field, layer, drawn, composing, isOn, start }: MentionOptions) {
  const popover = useRef<MentionKeyHandler | null>(null);
  const known = useRef<MentionField | null>(null);
  const [isReady, setReady] = useState(false);
  const [query, setQuery] = useState<OpenMentionQuery | null>(null);

  /** What the field held, until its text is followed. */
  const [first] = useState(() => encodeText({ text: start.draft, mentions: start.draftMentions }));
  const base = useRef(first);
  const [does] = useState(() => ({
    inField(): TextWithMentions {
      if (known.current !== null) return known.current.value;
      const { text, mentions } = base.current;
      const now = field.current?.value ?? text;
      return { text: now, mentions: shiftMentions(text, mentions, now) };
    },
    /** Whom the text names as it is sent and kept. */
    current: () => decodeText(does.inField()).mentions,
    changed: (inputType?: string) => known.current?.textChanged(inputType),
    look: () => known.current?.updateQuery(),
    close: () => known.current?.close(),
    reset(text: string, mentions: readonly DraftMention[]) {
      base.current = encodeText({ text, mentions });
      known.current?.reset(base.current);
    },
    pick: (person: MentionTarget) => known.current?.pick(person),
    name: (people: readonly MentionTarget[]) => known.current?.insertMentions(people),
    press: (event: KeyboardEvent<HTMLTextAreaElement>) => known.current?.handleKeyDown(event) ?? false,
  }));

  useEffect(() => {
    if (!isOn) return;
    let leave: (() => void) | undefined;
    let isGone = false;
    const begin = async () => {
      const load = loadChunk(() => import("../../group-modules.ts").then((part) => part.MentionField));
      const [Field] = await Promise.all([load, loadTexts("lazy")]);
      if (isGone || field.current === null || layer.current === null) return;
      const parts = {
        field: field.current,
        layer: layer.current,
        drawn,
        composing,
        popover,
        onQuery: setQuery,
      };
      known.current = new Field(parts, does.inField().mentions);
      leave = known.current.attach();
      setReady(true);
      if (parts.field.value !== base.current.text) known.current.updateQuery();
    };
    // Without it an @ is a letter like others; the next chat asks again.
    begin().catch((error: unknown) => {
      if (!(error instanceof ChunkError)) reportError(error);
    });
    return () => {
      isGone = true;
      leave?.();
    };
  }, [field, layer, drawn, composing, isOn, does]);

  return { layer, popover, query, isReady, ...does } as const;
}
