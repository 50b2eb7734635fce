import { createContext, useContext } from "react";
import type { ReactElement, ReactNode } from "react";
import { Check, ChevronRight } from "lucide-react";
import * as Context from "radix-ui/context-menu";
import * as Dropdown from "radix-ui/dropdown-menu";
import { classNames } from "./class-names.ts";
import { ICON, ICON_14 } from "./icon.ts";
import styles from "./menu.module.css";

/** The same items serve both kinds of menu; each kind brings its own parts. */
const Parts = createContext<"dropdown" | "context">("dropdown");

export interface MenuProps {
  /** The button that opens it; must take a ref and props. */
  trigger: ReactElement;
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center" | "end";
  /** Distance from the trigger, px. */
  offset?: number;
  width?: number;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Menu of a button: arrow keys, first letters, Esc; a click outside closes it. */
export function Menu({
  trigger,
  side = "bottom",
  align = "start",
  offset = 4,
  width,
  onOpenChange,
  children,
}: MenuProps) {
  return (
    <Dropdown.Root modal={false} {...(onOpenChange && { onOpenChange })}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          className={styles.menu}
          side={side}
          align={align}
          sideOffset={offset}
          collisionPadding={8}
          style={width === undefined ? undefined : { inlineSize: width }}
        >
          <Parts value="dropdown">{children}</Parts>
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

export interface ContextMenuProps {
  /** What is clicked with the right button, long-pressed, or Shift+F10 on; must take a ref and props. */
  target: ReactElement;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

export function ContextMenu({ target, onOpenChange, children }: ContextMenuProps) {
  return (
    <Context.Root modal={false} {...(onOpenChange && { onOpenChange })}>
      <Context.Trigger asChild>{target}</Context.Trigger>
      <Context.Portal>
        <Context.Content className={styles.menu} collisionPadding={8}>
          <Parts value="context">{children}</Parts>
        </Context.Content>
      </Context.Portal>
    </Context.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  /** Keys that do the same, e.g. `F5`. */
  keys?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({
  icon,
  keys,
  isDanger = false,
  isDisabled = false,
  onSelect,
  children,
}: MenuItemProps) {
  const Item = useContext(Parts) === "dropdown" ? Dropdown.Item : Context.Item;
  return (
    <Item
      className={classNames(styles.item, isDanger && styles.danger)}
      disabled={isDisabled}
      onSelect={onSelect}
    >
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <span className={styles.words}>{children}</span>
      {keys !== undefined && <kbd className={styles.keys}>{keys}</kbd>}
    </Item>
  );
}

export interface MenuRadioGroupProps<Value extends string> {
  /** Name of the group for screen readers. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  items: readonly { value: Value; text: string; lang?: string }[];
}

/** One of several; each is a `menuitemradio`. */
export function MenuRadioGroup<Value extends string>({
  label,
  value,
  onChange,
  items,
}: MenuRadioGroupProps<Value>) {
  const isDropdown = useContext(Parts) === "dropdown";
  const Group = isDropdown ? Dropdown.RadioGroup : Context.RadioGroup;
  return (
    <Group aria-label={label} value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      {items.map((item) => (
        <MenuRadioItem
          key={item.value}
          value={item.value}
          {...(item.lang !== undefined && { lang: item.lang })}
        >
          {item.text}
        </MenuRadioItem>
      ))}
    </Group>
  );
}

function MenuRadioItem({ value, lang, children }: { value: string; lang?: string; children: ReactNode }) {
  const isDropdown = useContext(Parts) === "dropdown";
  const Item = isDropdown ? Dropdown.RadioItem : Context.RadioItem;
  const Mark = isDropdown ? Dropdown.ItemIndicator : Context.ItemIndicator;
  return (
    <Item className={styles.item} value={value} lang={lang}>
      <span className={classNames(styles.icon, styles.chosen)}>
        <Mark>
          <Check {...ICON} />
        </Mark>
      </span>
      <span className={styles.words}>{children}</span>
    </Item>
  );
}

export interface SubMenuProps {
  icon?: ReactNode;
  label: string;
  width?: number;
  children: ReactNode;
}

export function SubMenu({ icon, label, width = 176, children }: SubMenuProps) {
  const isDropdown = useContext(Parts) === "dropdown";
  const Sub = isDropdown ? Dropdown.Sub : Context.Sub;
  const Trigger = isDropdown ? Dropdown.SubTrigger : Context.SubTrigger;
  const Portal = isDropdown ? Dropdown.Portal : Context.Portal;
  const Content = isDropdown ? Dropdown.SubContent : Context.SubContent;
  return (
    <Sub>
      <Trigger className={styles.item}>
        {icon !== undefined && <span className={styles.icon}>{icon}</span>}
        <span className={styles.words}>{label}</span>
        <span className={styles.more}>
          <ChevronRight {...ICON_14} />
        </span>
      </Trigger>
      <Portal>
        <Content
          className={styles.menu}
          sideOffset={8}
          alignOffset={-5}
          collisionPadding={8}
          style={{ inlineSize: width }}
        >
          {children}
        </Content>
      </Portal>
    </Sub>
  );
}

export function MenuSeparator() {
  const Line = useContext(Parts) === "dropdown" ? Dropdown.Separator : Context.Separator;
  return <Line className={styles.line} />;
}
