import { useCallback, useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import type { KeyboardEvent, Ref } from "react";
import { SendHorizontal } from "lucide-react";
import { TEXT_MAX } from "@parley/protocol/limits";
import type { ChatKey } from "@parley/core/model/state";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { useClient } from "../../../kit/use-client.ts";
import { classNames } from "../../../ui/class-names.ts";
import { ICON } from "../../../ui/icon.ts";
import { useImeGuard } from "../../../ui/ime.ts";
import { useHasCoarsePointer } from "../../../ui/use-media.ts";
import { insertNewline, growToFit } from "./field-text.ts";
import { fitOf, isSameFit } from "./text-length.ts";
import { useDraft } from "./use-draft.ts";
import styles from "./composer.module.css";

export interface ComposerHandle {
  focus(): void;
}

interface ComposerProps {
  chatKey: ChatKey;
  onSent: () => void;
  ref: Ref<ComposerHandle>;
}

/**
 * Where messages are written. The field belongs to the browser: nothing here writes into it while an input method is at work, and no
 * render of this component touches its text.
 */
export function Composer({ chatKey, onSent, ref }: ComposerProps) {
  const t = useText();
  const locale = useLocale();
  const client = useClient();
  const isCoarse = useHasCoarsePointer();
  const counterId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const composing = useRef(false);
  const ime = useImeGuard();
  const [start] = useState(() => client.getState().chats.byKey[chatKey]?.draft ?? "");
  const [fit, setFit] = useState(() => fitOf(start));

  const measure = useCallback(() => {
    const element = field.current;
    if (element === null) return;
    growToFit(element);
    if (composing.current) return;
    const next = fitOf(element.value);
    setFit((known) => (isSameFit(known, next) ? known : next));
  }, []);
  const draft = useDraft(field, chatKey, composing, measure);

  const focus = useCallback(() => {
    const element = field.current;
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  useImperativeHandle(ref, () => ({ focus }), [focus]);
  useEffect(() => {
    measure();
    // A finger that opened the chat did not ask for the keyboard.
    if (!window.matchMedia("(pointer: coarse)").matches) focus();
  }, [measure, focus]);

  const send = () => {
    const element = field.current;
    if (element === null || composing.current || !fitOf(element.value).canSend) return;
    client.chats.sendText(chatKey, element.value.trim());
    element.value = "";
    draft.keep("");
    measure();
    onSent();
    element.focus({ preventScroll: true });
  };

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || ime.isComposing(event) || event.altKey || event.shiftKey) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      insertNewline(event.currentTarget);
      measure();
      draft.saveSoon();
    } else if (!isCoarse) {
      event.preventDefault();
      send();
    }
  };

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.box}>
        <textarea
          ref={field}
          className={styles.field}
          rows={1}
          defaultValue={start}
          placeholder={t("chat.placeholder")}
          aria-label={t("chat.placeholder")}
          aria-describedby={fit.shown === null ? undefined : counterId}
          aria-invalid={fit.isTooLong || undefined}
          enterKeyHint={isCoarse ? "enter" : "send"}
          dir="auto"
          data-composer
          onKeyDown={press}
          onKeyUp={ime.handlers.onKeyUp}
          onCompositionStart={() => {
            composing.current = true;
          }}
          onCompositionEnd={() => {
            ime.handlers.onCompositionEnd();
            composing.current = false;
            measure();
            draft.saveSoon();
          }}
          onInput={() => {
            measure();
            draft.saveSoon();
          }}
          onBlur={draft.save}
        />
        {fit.shown !== null && (
          <span
            id={counterId}
            className={classNames(styles.counter, fit.isTooLong && styles.over)}
            role="status"
          >
            {t("chat.length", {
              length: fit.shown.toLocaleString(locale),
              max: TEXT_MAX.toLocaleString(locale),
            })}
          </span>
        )}
        <button
          type="submit"
          className={styles.send}
          aria-label={t("chat.send")}
          data-tip={t("chat.send")}
          data-tip-side="top"
          disabled={!fit.canSend}
          // Keeps the caret and, on a phone, the keyboard where they are.
          onPointerDown={(event) => event.preventDefault()}
        >
          <SendHorizontal {...ICON} />
        </button>
      </div>
    </form>
  );
}
