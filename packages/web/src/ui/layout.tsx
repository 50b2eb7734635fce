import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./layout.module.css";

/** A step of the scale of distances, `--space-*`, in px. */
type Space = 2 | 4 | 8 | 12 | 16 | 20 | 24 | 32;

/** The colours of text on the ground of calls, which is dark in both themes. */
type StageTone = "stage" | "stageSoft";

interface TypeProps {
  /** A step of the scale of text sizes, `--size-*`, in px at the normal text size. */
  size?: 11 | 12 | 13 | 14 | 16 | 20;
  /** The colour: what is most important, less, or least; or what the text says about its subject. */
  tone?: "primary" | "secondary" | "tertiary" | "accent" | "danger" | "success" | StageTone;
  weight?: "body" | "name" | "title";
  /** The height of a line, in px at the normal text size. */
  line?: 16 | 18 | 20 | 24;
  textAlign?: "start" | "center" | "end";
}

interface BoxProps extends TypeProps {
  /** Takes the room that is left in its row or stack, and may become smaller than its content. */
  grow?: boolean;
  /** `false` keeps its size however narrow its row or stack is; `true` lets it become narrower than its content. */
  shrink?: boolean;
  padding?: Space;
  paddingX?: Space;
  paddingY?: Space;
  /** A distance that differs from the gap of the row or stack. */
  marginTop?: Space;
  marginBottom?: Space;
  /** Scrolls vertically what does not fit. */
  scroll?: boolean;
}

interface FlexProps extends BoxProps {
  gap?: Space;
  /** Across the direction of the row or stack. */
  align?: "start" | "center" | "end" | "baseline" | "stretch";
  /** Along the direction of the row or stack. Left out, they stand at its start. */
  justify?: "center" | "end" | "between";
  wrap?: boolean;
}

interface TextProps extends BoxProps {
  /** Cuts off what does not fit into one line. */
  truncate?: boolean;
  /** Keeps the text in one line, even if it does not fit. */
  nowrap?: boolean;
}

interface CardProps extends FlexProps {
  /** `plain` on a page, `raised` for what floats above it, `soft` without a line, `danger` for what went wrong. */
  variant?: "plain" | "raised" | "soft" | "danger";
  /** Lays out its children as `Row` or `Stack` do. Otherwise they are laid out as in any element. */
  direction?: "row" | "stack";
}

/** The properties of a component with these of its own, which renders the element or component `as`. */
type Polymorphic<Element extends ElementType, Own> = { [Name in keyof Own]: Own[Name] | undefined } & {
  as?: Element;
} & Omit<ComponentPropsWithRef<Element>, keyof Own | "as">;

/** Children beside each other, centred across the row unless `align` says otherwise. */
export function Row<Element extends ElementType = "div">(props: Polymorphic<Element, FlexProps>) {
  return render("div", styles["row"], props);
}

/** Children below each other, as wide as the stack unless `align` says otherwise. */
export function Stack<Element extends ElementType = "div">(props: Polymorphic<Element, FlexProps>) {
  return render("div", styles["stack"], props);
}

/** A part of the row or stack around it whose children are laid out as in any element. */
export function Box<Element extends ElementType = "div">(props: Polymorphic<Element, BoxProps>) {
  return render("div", undefined, props);
}

/** Words in a size and tone of the design. A `span` unless `as` names another element. */
export function Text<Element extends ElementType = "span">(props: Polymorphic<Element, TextProps>) {
  return render("span", undefined, props);
}

/** A box with rounded corners and a background of its own. */
export function Card<Element extends ElementType = "div">(props: Polymorphic<Element, CardProps>) {
  return render("div", undefined, { variant: "plain", ...props });
}

/** Covers its nearest positioned ancestor. Children are below each other, as in `Stack`. */
export function Overlay<Element extends ElementType = "div">(props: Polymorphic<Element, FlexProps>) {
  return render("div", classNames(styles["stack"], styles["overlay"]), props);
}

const OWN_PROPS: ReadonlySet<string> = new Set<keyof CardProps | keyof TextProps>([
  ...(["size", "tone", "weight", "line", "textAlign", "truncate", "nowrap"] as const),
  ...(["grow", "shrink", "padding", "paddingX", "paddingY", "marginTop", "marginBottom", "scroll"] as const),
  ...(["gap", "align", "justify", "wrap", "variant", "direction"] as const),
]);

/** Renders one element. A property of its own becomes the class `name-value` of the style sheet, any other goes to the element. */
function render(fallback: ElementType, base: string | undefined, props: object): ReactNode {
  const { as: Element = fallback, className, ...others } = props as { as?: ElementType; className?: string };
  const classes = [base];
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries<string | number | boolean | undefined>(others)) {
    if (!OWN_PROPS.has(name)) rest[name] = value;
    else if (value !== undefined) classes.push(styles[`${name}-${value}`]);
  }
  return <Element {...rest} className={classNames(...classes, className) || undefined} />;
}
