import { useEffect, useRef, useState } from "react";
import type {
  ComponentProps,
  DOMAttributes,
  FocusEvent,
  KeyboardEvent,
  ReactElement,
  ReactNode,
  RefObject,
} from "react";
import { Check, ChevronDown, ChevronRight, ChevronUp } from "lucide-react";
import * as Dropdown from "radix-ui/dropdown-menu";
import { classNames } from "./class-names.ts";
import { ICON_PROPS, ICON_PROPS_14 } from "./icon-props.ts";
import { Text } from "./layout.tsx";
import { menuPadding } from "./popover-position.ts";
import { useUiTexts } from "./ui-texts.ts";
import { useIsMobile } from "./use-media.ts";
import styles from "./menu.module.css";

export interface MenuProps {
  /** The button that opens it; must take a ref and props. */
  trigger: ReactElement;
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center" | "end";
  /** Distance from the trigger, px. */
  offset?: number;
  width?: number;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** Menu of a button, with arrow keys, first letters and Esc. A click outside closes it. */
export function Menu(props: MenuProps) {
  const {
    trigger,
    side = "bottom",
    align = "start",
    offset = 4,
    width,
    isOpenAtFirst = false,
    children,
  } = props;
  return (
    <Dropdown.Root modal={false} defaultOpen={isOpenAtFirst}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <MenuLayer>
        <MenuContent
          side={side}
          align={align}
          sideOffset={offset}
          collisionPadding={menuPadding()}
          style={width === undefined ? undefined : { inlineSize: `${width / 16}rem` }}
        >
          {children}
        </MenuContent>
      </MenuLayer>
    </Dropdown.Root>
  );
}

/**
 * Handlers for a menu that is a sheet on a small screen: the end of the press that has opened it chooses nothing, although the sheet may lie
 * under the pointer by then. In a large window people may press, move to an item and release.
 */
function useOwnPressOnly(): Pick<
  DOMAttributes<HTMLElement>,
  "onPointerDownCapture" | "onPointerUpCapture" | "onClickCapture"
> {
  const isMobile = useIsMobile();
  const wasPressed = useRef(false);
  const isOfOpeningPress = () => isMobile && !wasPressed.current;
  return {
    onPointerDownCapture: () => {
      wasPressed.current = true;
    },
    onPointerUpCapture: (event) => {
      if (isOfOpeningPress()) event.preventDefault();
    },
    onClickCapture: (event) => {
      // A key chooses an item by a click that has no pointer and no count.
      if (isOfOpeningPress() && event.detail > 0) event.stopPropagation();
    },
  };
}

/**
 * On a small screen, the click of a press beside the menu reaches nothing. Radix closes the menu at the beginning of the press, so its end
 * would click what lies behind.
 */
function useOutsidePressShield(menu: RefObject<HTMLElement | null>): void {
  const isMobile = useIsMobile();
  useEffect(() => {
    if (!isMobile) return;
    const swallow = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const shield = ({ target }: PointerEvent) => {
      if (target instanceof Node && menu.current?.contains(target)) return;
      const once = new AbortController();
      window.addEventListener("click", swallow, { capture: true, once: true, signal: once.signal });
      window.addEventListener("pointerdown", () => once.abort(), { capture: true, once: true });
    };
    window.addEventListener("pointerdown", shield, { capture: true });
    return () => window.removeEventListener("pointerdown", shield, { capture: true });
  }, [isMobile, menu]);
}

/** The open menu; it is mounted anew each time. */
function MenuContent(props: ComponentProps<typeof Dropdown.Content>) {
  const menu = useRef<HTMLDivElement>(null);
  useOutsidePressShield(menu);
  return <Dropdown.Content ref={menu} className={styles.menu} data-sheet {...useOwnPressOnly()} {...props} />;
}

/** Where menus are rendered: a landmark at the end of the page, so that no content is outside of landmarks. */
function MenuLayer({ label, children }: { label?: string; children: ReactNode }) {
  const { menu } = useUiTexts();
  return (
    <Dropdown.Portal>
      <section aria-label={label ?? menu}>{children}</section>
    </Dropdown.Portal>
  );
}

export interface MenuAtProps {
  /** The pressed point, in window coordinates. */
  x: number;
  y: number;
  /** Where it opens if there is room. */
  side?: "bottom" | "top";
  /** Name for screen readers. */
  label: string;
  onClose: () => void;
  /** The element to which the focus returns, unless the selected item moved it elsewhere. */
  opener: HTMLElement | null;
  children: ReactNode;
}

/** Context menu at a point: after a right click, a long press or the menu key. */
export function MenuAt({ x, y, side = "bottom", label, onClose, opener, children }: MenuAtProps) {
  return (
    <Dropdown.Root modal={false} open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dropdown.Trigger asChild>
        <button
          type="button"
          className={styles.anchor}
          style={{ insetInlineStart: x, insetBlockStart: y }}
          tabIndex={-1}
          aria-hidden="true"
        />
      </Dropdown.Trigger>
      <MenuLayer>
        <MenuContent
          aria-label={label}
          aria-labelledby={undefined}
          side={side}
          align="start"
          collisionPadding={menuPadding()}
          onContextMenu={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
          }}
        >
          {children}
        </MenuContent>
      </MenuLayer>
    </Dropdown.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  /** Shortcut with the same effect, e.g. `F5`. */
  keys?: string;
  isDanger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

/** An item of a menu. */
export function MenuItem({ icon, keys, isDanger = false, onSelect, children }: MenuItemProps) {
  return (
    <Dropdown.Item className={classNames(styles.item, isDanger && styles.danger)} onSelect={onSelect}>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <span className={styles.label}>{children}</span>
      {keys !== undefined && <kbd className={styles.shortcut}>{keys}</kbd>}
    </Dropdown.Item>
  );
}

/**
 * Items beside each other, above the others of the menu. ← and → move between them, ↓ leaves them. The keyboard begins below them, so that
 * the first item of the list is chosen as without them.
 */
export function MenuRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Dropdown.Group aria-label={label} className={styles.row} onKeyDownCapture={moveInRow} onFocus={skipRow}>
      {children}
    </Dropdown.Group>
  );
}

/** Radix gives the first item the focus when keys enter the menu; under the pointer it is meant itself. */
function skipRow({ currentTarget: row, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget !== row.closest('[role="menu"]') || row.matches(":hover")) return;
  itemsOf(row)
    .find((item) => !row.contains(item))
    ?.focus({ preventScroll: true });
}

/** All items of the menu of a row. */
function itemsOf(row: HTMLElement): readonly HTMLElement[] {
  return [...(row.parentElement?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}

function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const row = event.currentTarget;
  const items = itemsOf(row);
  const inRow = items.filter((item) => row.contains(item));
  const current = inRow.findIndex((item) => item === document.activeElement);
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const next =
    event.key === "ArrowDown" ? items[inRow.length] : step === 0 ? undefined : inRow[current + step];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus({ preventScroll: true });
}

export interface MenuRowItemProps {
  /** Name for screen readers. */
  label: string;
  /** Whether it is chosen already, so that it takes that back; left out for an item that opens something. */
  isOn?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

/** An item of a `MenuRow`. */
export function MenuRowItem({ label, isOn, onSelect, children }: MenuRowItemProps) {
  return isOn === undefined ? (
    <Dropdown.Item className={styles.cell} aria-label={label} onSelect={onSelect}>
      {children}
    </Dropdown.Item>
  ) : (
    <Dropdown.CheckboxItem className={styles.cell} aria-label={label} checked={isOn} onSelect={onSelect}>
      {children}
    </Dropdown.CheckboxItem>
  );
}

export interface MenuRadioGroupProps<Value extends string> {
  /** Name of the group for screen readers. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  items: readonly { value: Value; text: string; lang?: string }[];
}

/** Items of which one is selected; each is a `menuitemradio`. */
export function MenuRadioGroup<Value extends string>({
  label,
  value,
  onChange,
  items,
}: MenuRadioGroupProps<Value>) {
  const change = (selected: string) => {
    const item = items.find((candidate) => candidate.value === selected);
    if (item !== undefined) onChange(item.value);
  };
  return (
    <Dropdown.RadioGroup aria-label={label} value={value} onValueChange={change}>
      {items.map((item) => (
        <Dropdown.RadioItem key={item.value} className={styles.item} value={item.value} lang={item.lang}>
          <span className={classNames(styles.icon, styles.selected)}>
            <Dropdown.ItemIndicator>
              <Check {...ICON_PROPS} />
            </Dropdown.ItemIndicator>
          </span>
          <span className={styles.label}>{item.text}</span>
        </Dropdown.RadioItem>
      ))}
    </Dropdown.RadioGroup>
  );
}

export interface SubMenuProps {
  icon?: ReactNode;
  label: string;
  width?: number;
  children: ReactNode;
}

/** Sub-menu of an item: beside the menu, or on a small screen below the item. */
export function SubMenu(props: SubMenuProps) {
  return useIsMobile() ? <InlineSubMenu {...props} /> : <SideSubMenu {...props} />;
}

function InlineSubMenu({ icon, label, children }: SubMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (event: Event) => {
    event.preventDefault();
    setOpen(!isOpen);
  };
  return (
    <>
      <Dropdown.Item className={styles.item} aria-expanded={isOpen} onSelect={toggle}>
        <SubMenuItemContent icon={icon} label={label} arrow={isOpen ? ChevronUp : ChevronDown} />
      </Dropdown.Item>
      {isOpen && children}
    </>
  );
}

function SideSubMenu({ icon, label, width = 176, children }: SubMenuProps) {
  return (
    <Dropdown.Sub>
      <Dropdown.SubTrigger className={styles.item}>
        <SubMenuItemContent icon={icon} label={label} arrow={ChevronRight} />
      </Dropdown.SubTrigger>
      <MenuLayer label={label}>
        <Dropdown.SubContent
          className={styles.menu}
          data-sheet
          sideOffset={8}
          alignOffset={-5}
          collisionPadding={menuPadding()}
          style={{ inlineSize: `${width / 16}rem` }}
        >
          {children}
        </Dropdown.SubContent>
      </MenuLayer>
    </Dropdown.Sub>
  );
}

function SubMenuItemContent({
  icon,
  label,
  arrow: Arrow,
}: {
  icon: ReactNode;
  label: string;
  arrow: typeof ChevronUp;
}) {
  return (
    <>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <span className={styles.label}>{label}</span>
      <Text tone="secondary">
        <Arrow {...ICON_PROPS_14} />
      </Text>
    </>
  );
}

/** A line between items of a menu. */
export function MenuSeparator() {
  return <Dropdown.Separator className={styles.separator} />;
}
