import { useEffect, useId, useLayoutEffect, useState } from "react";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { X } from "lucide-react";
import { useText } from "../../../kit/i18n/i18n.ts";
import { EmoticonTool } from "../../../kit/message-field/emoticon-tool.tsx";
import { fieldText } from "../../../kit/message-field/field-text.ts";
import { MessageTextArea } from "../../../kit/message-field/message-text-area.tsx";
import type { TextLength } from "../../../kit/message-field/text-length.ts";
import type { MessageField } from "../../../kit/message-field/use-message-field.ts";
import { useUserSetting } from "../../../kit/settings/user-settings.ts";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { useHasCoarsePointer } from "../../../ui/use-media.ts";
import { registerComposer, useConversationUi } from "../message/conversation-ui.ts";
import { enterAction } from "./composer-keys.ts";
import styles from "./composer.module.css";

interface ComposerFrameProps {
  messageField: MessageField;
  /** Accessible name of the field. */
  label: string;
  /** More attributes of the field. */
  attributes?: Omit<ComponentProps<"textarea">, "className">;
  /** On a touch device the focus opens the on-screen keyboard. */
  shouldFocusOnTouch: boolean;
  /** Above the field: what is quoted or edited. */
  bar?: ReactNode;
  /** Before the field, after the emoticons; on a small screen around it. */
  tools?: ReactNode;
  /** Floats above the frame, e.g. the members to mention. */
  popover?: ReactNode;
  /** Accessible name of the submit button. */
  submitLabel: string;
  submitIcon: ReactNode;
  /** Attached to the submit button. */
  submitMore?: ReactNode;
  /** There is something to submit beside the text, which may then be blank. */
  hasMore?: boolean;
  /** The content is not ready to be submitted. */
  isWaiting?: boolean;
  /** Before the submit button; on a small screen in its place while there is nothing to submit. */
  voice?: ReactNode;
  /** In place of the field and the tools, except `voice`. */
  recorder?: ReactNode;
  /** Gets a text that can be sent, or with `hasMore` a blank one. */
  onSubmit: (text: string) => void;
  /** Gets the input type; it is also called while an input method is composing. */
  onChanged: (inputType?: string) => void;
  /** Gets a key before the frame handles it; returns true if it used the key. */
  onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  /** Esc, unless it closes the emoticons; null leaves the key to others. */
  onEscape: (() => void) | null;
}

/** The form in which messages are written and edited. */
export function ComposerFrame(props: ComposerFrameProps) {
  const { messageField, label, attributes, shouldFocusOnTouch, bar, tools, popover } = props;
  const { submitLabel, submitIcon, submitMore, onSubmit, onChanged, onKey, onEscape } = props;
  const { hasMore = false, isWaiting = false, voice, recorder } = props;
  const { field, composing, textLength: length, measure, isComposing } = messageField;
  const { focus, resume, returnFocus, insert } = messageField;
  const ui = useConversationUi();
  const isCoarse = useHasCoarsePointer();
  const [sendKey] = useUserSetting("sendKey");
  const [isPickerOpen, setPickerOpen] = useState(false);
  const counterId = useId();

  const isHidden = recorder !== undefined;
  useEffect(
    () => registerComposer(ui, { isHidden, focus, returnFocus, insert }),
    [ui, isHidden, focus, returnFocus, insert],
  );
  // Before the paint: what a person does with what is shown must not lose the focus to the field.
  useLayoutEffect(() => {
    if (shouldFocusOnTouch || !window.matchMedia("(pointer: coarse)").matches) focus();
  }, [focus, shouldFocusOnTouch]);

  const canSubmit = ({ canSend, isTooLong }: TextLength) =>
    !isWaiting && (canSend || (hasMore && !isTooLong));
  const isIdle = !length.canSend && !length.isTooLong && !hasMore;
  const submit = () => {
    if (field.current === null || composing.current) return;
    const text = fieldText(field.current);
    if (!canSubmit(measure(text))) return;
    setPickerOpen(false);
    onSubmit(text);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || onKey?.(event) === true) return;
    if (event.key === "Escape") {
      if (isPickerOpen) setPickerOpen(false);
      else if (onEscape === null) return;
      else onEscape();
      event.preventDefault();
    } else if (event.key === "Enter") {
      const action = enterAction(event, sendKey, isCoarse);
      if (action === "browser") return;
      event.preventDefault();
      if (action === "send") submit();
      else insert("\n");
    }
  };
  return (
    <form
      className={styles.composer}
      data-landmark="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={classNames(styles.box, styles.writer)}>
        {popover}
        {bar}
        <Row
          align="end"
          className={styles.line}
          data-idle={(voice !== undefined && isIdle) || undefined}
          data-recording={isHidden || undefined}
        >
          {recorder}
          <EmoticonTool
            className={styles.emoticons}
            isOpen={isPickerOpen}
            onOpenChange={setPickerOpen}
            onPick={insert}
            onReturnFocus={resume}
          />
          {tools}
          <MessageTextArea
            messageField={messageField}
            className={styles.fieldArea}
            counterId={length.shown === null ? null : counterId}
            attributes={{
              "aria-label": label,
              rows: 1,
              ...attributes,
              "data-composer": true,
              onKeyDown: handleKeyDown,
            }}
            onChanged={onChanged}
          />
          {length.shown !== null && (
            <LengthCounter
              id={counterId}
              shown={length.shown}
              max={length.max}
              isTooLong={length.isTooLong}
            />
          )}
          {voice}
          <Row as="span" align="stretch" shrink={false} className={styles.sendButtons}>
            <SubmitButton label={submitLabel} icon={submitIcon} isDisabled={!canSubmit(length)} />
            {submitMore}
          </Row>
        </Row>
      </div>
    </form>
  );
}

interface SubmitButtonProps {
  label: string;
  icon: ReactNode;
  isDisabled: boolean;
}

function SubmitButton({ label, icon, isDisabled }: SubmitButtonProps) {
  return (
    <button
      type="submit"
      className={styles.send}
      aria-label={label}
      data-tip={label}
      data-tip-side="top"
      disabled={isDisabled}
      // The field keeps the focus, so that the caret and an on-screen keyboard stay.
      onPointerDown={(event) => event.preventDefault()}
    >
      {icon}
    </button>
  );
}

interface LengthCounterProps {
  id: string;
  shown: number;
  max: number;
  isTooLong: boolean;
}

/** How long the text is, and how long it may be. */
function LengthCounter({ id, shown, max, isTooLong }: LengthCounterProps) {
  const t = useText();
  return (
    <span id={id} className={classNames(styles.counter, isTooLong && styles.tooLong)} role="status">
      {t("chat.length", { length: shown, max })}
    </span>
  );
}

interface ComposerBarProps {
  /** Shown before the text; without it the bar has the vertical line of a quote. */
  icon?: ReactNode;
  title: string;
  text: string;
  closeLabel: string;
  onClose: () => void;
}

/** A bar above the field: which message is quoted or edited, or that receipts are requested. */
export function ComposerBar({ icon, title, text, closeLabel, onClose }: ComposerBarProps) {
  return (
    <Row gap={8} className={styles.bar} data-composer-bar>
      {icon === undefined ? (
        <span className={styles.quoteLine} />
      ) : (
        <Text shrink={false} tone="accent">
          {icon}
        </Text>
      )}
      <Stack grow>
        <Text as="div" truncate size={12} line={16} weight="name" tone="accent" dir="auto">
          {title}
        </Text>
        <Text as="div" truncate size={13} line={18} tone="secondary" dir="auto">
          {text}
        </Text>
      </Stack>
      <IconButton label={closeLabel} size={32} tooltipSide="top" onClick={onClose}>
        <X {...ICON_PROPS} />
      </IconButton>
    </Row>
  );
}
