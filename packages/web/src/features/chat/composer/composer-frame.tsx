import { useId } from "react";
import type { ComponentPropsWithRef, ReactNode, Ref } from "react";
import { TEXT_MAX } from "@parley/protocol/limits";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { classNames } from "../../../ui/class-names.ts";
import type { TextLength } from "./text-length.ts";
import styles from "./composer.module.css";

interface ComposerFrameProps {
  /** Above the field: what is quoted or edited. */
  bar?: ReactNode;
  /** Before the field; on a small screen around it. */
  tools?: ReactNode;
  /** Floats above the frame, e.g. the members to mention. */
  popover?: ReactNode;
  field: Omit<ComponentPropsWithRef<"textarea">, "className">;
  /** The element under the field that shows pictures of emoticons and highlights mentions. */
  layer: Ref<HTMLDivElement>;
  /** The field's text with the names of its emoticons, for screen readers. */
  description: Ref<HTMLSpanElement>;
  textLength: TextLength;
  /** Accessible name of the submit button. */
  submitLabel: string;
  submitIcon: ReactNode;
  /** Attached to the submit button. */
  submitMore?: ReactNode;
  onSubmit: () => void;
}

/** The form in which messages are written and edited. */
export function ComposerFrame(props: ComposerFrameProps) {
  const {
    bar,
    tools,
    popover,
    field,
    layer,
    description,
    textLength,
    submitLabel,
    submitIcon,
    submitMore,
    onSubmit,
  } = props;
  const t = useText();
  const locale = useLocale();
  const counterId = useId();
  const descriptionId = useId();
  return (
    <form
      className={styles.composer}
      data-landmark="composer"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className={classNames(styles.box, styles.writer)}>
        {popover}
        {bar}
        <div className={styles.line}>
          {tools}
          <div className={styles.fieldArea}>
            <div ref={layer} className={styles.layer} dir="auto" aria-hidden="true" />
            <span ref={description} id={descriptionId} className="visually-hidden" />
            <textarea
              rows={1}
              aria-describedby={textLength.shown === null ? descriptionId : `${descriptionId} ${counterId}`}
              aria-invalid={textLength.isTooLong || undefined}
              dir="auto"
              data-composer
              {...field}
              className={styles.field}
              onScroll={({ currentTarget }) =>
                currentTarget.parentElement?.toggleAttribute("data-scrolled", currentTarget.scrollTop > 0)
              }
            />
          </div>
          {textLength.shown !== null && (
            <span
              id={counterId}
              className={classNames(styles.counter, textLength.isTooLong && styles.tooLong)}
              role="status"
            >
              {t("chat.length", {
                length: textLength.shown.toLocaleString(locale),
                max: TEXT_MAX.toLocaleString(locale),
              })}
            </span>
          )}
          <span className={styles.sendButtons}>
            <button
              type="submit"
              className={styles.send}
              aria-label={submitLabel}
              data-tip={submitLabel}
              data-tip-side="top"
              disabled={!textLength.canSend}
              // The field keeps the focus, so that the caret and an on-screen keyboard stay.
              onPointerDown={(event) => event.preventDefault()}
            >
              {submitIcon}
            </button>
            {submitMore}
          </span>
        </div>
      </div>
    </form>
  );
}
