import { useId } from "react";
import type { ComponentProps } from "react";
import { classNames } from "../../ui/class-names.ts";
import { Row } from "../../ui/layout.tsx";
import styles from "./message-field.module.css";
import type { MessageField } from "./use-message-field.ts";

interface MessageTextAreaProps {
  messageField: MessageField;
  /** The class of the area around the field. It sets `--field-min`, `--field-max`, `--field-padding` and `--text-line`. */
  className: string | undefined;
  /** The id of the counter that describes the field too; null while none is shown. */
  counterId: string | null;
  /** More attributes of the field. */
  attributes: Omit<ComponentProps<"textarea">, "className"> & { "data-composer"?: boolean };
  /** Gets the input type; it is also called while an input method is composing. */
  onChanged: (inputType?: string) => void;
}

/** A field in which a message is written, above the layer that draws its emoticons and mentions. */
export function MessageTextArea(props: MessageTextAreaProps) {
  const { messageField, className, counterId, attributes, onChanged } = props;
  const descriptionId = useId();
  return (
    <Row align="stretch" grow className={classNames(styles.area, className)}>
      <div ref={messageField.layer} className={styles.layer} dir="auto" aria-hidden="true" />
      <span ref={messageField.description} id={descriptionId} className="visually-hidden" />
      <textarea
        ref={messageField.field}
        defaultValue={messageField.initialValue}
        aria-describedby={counterId === null ? descriptionId : `${descriptionId} ${counterId}`}
        aria-invalid={messageField.textLength.isTooLong || undefined}
        dir="auto"
        {...attributes}
        {...messageField.handlers(onChanged)}
        className={styles.field}
        onScroll={({ currentTarget }) =>
          currentTarget.parentElement?.toggleAttribute("data-scrolled", currentTarget.scrollTop > 0)
        }
      />
    </Row>
  );
}
