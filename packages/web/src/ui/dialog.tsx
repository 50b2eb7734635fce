import { useRef } from "react";
import type { CSSProperties, FormEvent, KeyboardEvent, ReactNode } from "react";
import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { Button, IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { ICON_PROPS } from "./icon-props.ts";
import { useImeGuard } from "./ime.ts";
import { useUiTexts } from "./ui-texts.ts";
import styles from "./dialog.module.css";
import { Row, Stack, Text } from "./layout.tsx";

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Read by screen readers when the dialog opens. */
  description?: string;
  /** Maximum width in px at the default text size; never wider than the window minus 32 px. */
  width?: number;
  /** The buttons, with the primary one last. */
  footer?: ReactNode;
  /** Makes the dialog a form, so that Enter in a field submits. */
  onSubmit?: () => void;
  /** No padding around the content. */
  isFlush?: boolean;
  /** Fills a small screen. */
  isSheet?: boolean;
  /** The content is text only: it is focusable itself, so that keys can scroll it. */
  isReading?: boolean;
  /** The element to which the focus returns, if not the previous one, e.g. because that was a button of a dialog that is closed by then. */
  opener?: HTMLElement | null;
  /** Only its own buttons close it, neither Esc nor a click outside: what it shows is shown once. */
  isKept?: boolean;
  children: ReactNode;
}

/** Modal dialog with a title and a close button. The focus stays inside and returns to the opener. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  width = 480,
  footer,
  onSubmit,
  isFlush,
  isSheet = false,
  isReading = false,
  opener = null,
  isKept = false,
  children,
}: DialogProps) {
  const texts = useUiTexts();
  const content = (
    <>
      <div
        className={classNames(styles.body, isFlush && styles.flush)}
        {...(isReading && { role: "document", tabIndex: 0 })}
      >
        {description !== undefined && (
          <Text as={Radix.Description} marginBottom={16} tone="secondary">
            {description}
          </Text>
        )}
        {children}
      </div>
      {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
    </>
  );
  return (
    <Frame
      isOpen={isOpen}
      onClose={onClose}
      width={width}
      hasDescription={description !== undefined}
      isSheet={isSheet}
      opener={opener}
      isKept={isKept}
    >
      <Row as="header" gap={12} justify="between" shrink={false} className={styles.header}>
        <Radix.Title className={styles.title}>{title}</Radix.Title>
        <Radix.Close asChild>
          <IconButton label={texts.close} hasTooltip={false}>
            <X {...ICON_PROPS} />
          </IconButton>
        </Radix.Close>
      </Row>
      {onSubmit === undefined ? (
        content
      ) : (
        <Stack
          as="form"
          className={styles.form}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {content}
        </Stack>
      )}
    </Frame>
  );
}

export interface PaletteDialogProps {
  onClose: () => void;
  /** Name for screen readers; not visible. */
  title: string;
  width: number;
  children: ReactNode;
}

/** A dialog that begins with a field. It is at the top of the screen, so that its growing list does not move it, and fills a small screen. */
export function PaletteDialog({ onClose, title, width, children }: PaletteDialogProps) {
  return (
    <Frame isOpen isPalette onClose={onClose} width={width} hasDescription={false}>
      <Radix.Title className="visually-hidden">{title}</Radix.Title>
      {children}
    </Frame>
  );
}

export interface FullScreenDialogProps {
  onClose: () => void;
  /** Name for screen readers; not visible. */
  title: string;
  /** For keys that mean something anywhere in the dialog. */
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  children: ReactNode;
}

/** A dialog that covers the page, dark in both themes, as for pictures. It has the focus itself when it opens, and no button of its own. */
export function FullScreenDialog({ onClose, title, onKeyDown, children }: FullScreenDialogProps) {
  const previousFocus = usePreviousFocus(true);
  const content = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          ref={content}
          className={styles.fullScreen}
          aria-modal="true"
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) focusAgain(previousFocus.current);
          }}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Radix.Title className="visually-hidden">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Gives the focus back to an element. */
export function focusAgain(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

export interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  body: ReactNode;
  confirmLabel: string;
  /** Without it the dialog has one button only, and Esc has the same effect as that button. */
  cancelLabel?: string;
  /** Something will be lost: the button is red, and Enter does not press it. */
  isDanger?: boolean;
  isBusy?: boolean;
  /** The element to which the focus returns, if not the previous one, e.g. because that was an item of a closed menu. */
  opener?: HTMLElement | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A confirmation dialog, 400 px wide. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    title,
    body,
    confirmLabel,
    cancelLabel,
    isDanger = false,
    isBusy = false,
    opener = null,
    onConfirm,
    onCancel,
  } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  return (
    <Frame
      isOpen={isOpen}
      onClose={onCancel}
      width={400}
      hasDescription
      isAlert
      opener={opener}
      onOpened={() => (isDanger ? cancel : confirm).current?.focus()}
    >
      <div className={styles.confirm}>
        <Radix.Title className={styles.title}>{title}</Radix.Title>
        <Radix.Description asChild>
          <Text as="div" marginTop={8} tone="secondary" className={styles.confirmBody}>
            {body}
          </Text>
        </Radix.Description>
        <Row wrap gap={8} align="stretch" justify="end" marginTop={24}>
          {cancelLabel !== undefined && (
            <Button ref={cancel} disabled={isBusy} onClick={onCancel}>
              {cancelLabel}
            </Button>
          )}
          <Button
            ref={confirm}
            variant={isDanger ? "dangerFill" : "primary"}
            isBusy={isBusy}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </Row>
      </div>
    </Frame>
  );
}

interface FrameProps {
  isOpen: boolean;
  onClose: () => void;
  width: number;
  hasDescription: boolean;
  isAlert?: boolean;
  isPalette?: boolean;
  isSheet?: boolean;
  opener?: HTMLElement | null;
  isKept?: boolean;
  onOpened?: () => void;
  children: ReactNode;
}

function Frame(props: FrameProps) {
  const { isOpen, onClose, width, hasDescription, isAlert = false, isPalette = false } = props;
  const { isSheet = false, opener, isKept = false, onOpened, children } = props;
  const previousFocus = usePreviousFocus(isOpen);
  const ime = useImeGuard();
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Stack
          as={Radix.Content}
          className={classNames(styles.dialog, isPalette && styles.palette, isSheet && styles.sheet)}
          style={{ "--width": `${width / 16}rem` } as CSSProperties}
          role={isAlert ? "alertdialog" : "dialog"}
          {...(hasDescription ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={(event) => {
            if (onOpened === undefined) return;
            event.preventDefault();
            onOpened();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // An element that has taken the focus, e.g. the composer of an opened chat, keeps it.
            if (document.activeElement !== document.body) return;
            focusAgain(opener ?? previousFocus.current);
          }}
          {...ime.handlers}
          onEscapeKeyDown={(event) => {
            if (isKept || ime.isComposing(event)) event.preventDefault();
          }}
          onInteractOutside={(event) => {
            // An alert must be answered, and a click on a toast or a call that rings is not meant for the dialog.
            const target = event.target instanceof Element ? event.target : null;
            if (isAlert || isKept || target?.closest("[data-toasts], [data-over-dialogs]"))
              event.preventDefault();
          }}
        >
          {children}
        </Stack>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The element that had the focus before the dialog opened. Read during rendering, because `autoFocus` takes effect before any effect runs. */
export function usePreviousFocus(isOpen: boolean): { readonly current: Element | null } {
  const previousFocus = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (isOpen && !wasOpen.current) previousFocus.current = document.activeElement;
  wasOpen.current = isOpen;
  return previousFocus;
}
