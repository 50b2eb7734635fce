import { useId } from "react";
import type { ReactNode } from "react";
import { ServerAddressField, type useCustomServer } from "../../kit/forms/custom-server.tsx";
import { ChevronDownIcon, ChevronUpIcon, ServerIcon } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import styles from "./server-box.module.css";

export interface ServerBoxProps {
  server: ReturnType<typeof useCustomServer>;
  /** Shown at the other end of the button's line. */
  children: ReactNode;
}

/** A button that opens a field for the address of another server. */
export function ServerBox({ server, children }: ServerBoxProps) {
  const id = useId();
  const Arrow = server.isOpen ? ChevronUpIcon : ChevronDownIcon;
  return (
    <>
      <Row justify="between" wrap size={13} line={20} className={styles.line}>
        <Row
          as="button"
          type="button"
          gap={4}
          tone="secondary"
          className={styles.opener}
          aria-expanded={server.isOpen}
          aria-controls={id}
          disabled={server.isRequired}
          onClick={server.toggle}
        >
          <ServerIcon />
          {server.name}
          {!server.isRequired && <Arrow size={14} />}
        </Row>
        {children}
      </Row>
      <div id={id} hidden={!server.isOpen}>
        {server.isOpen && (
          <ServerAddressField
            server={server}
            onBlur={(event) => {
              // Closing the box with its button is not an error for an empty address.
              if (event.relatedTarget?.getAttribute("aria-controls") !== id) void server.applyServer();
            }}
          />
        )}
      </div>
    </>
  );
}
