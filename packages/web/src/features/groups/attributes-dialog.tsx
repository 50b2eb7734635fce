import { useRef, useState } from "react";
import { Plus, X } from "lucide-react";
import type { GroupVO } from "@parley/protocol/entities";
import { ATTRIBUTE_KEY_MAX, ATTRIBUTE_VALUE_MAX, ATTRIBUTES_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Stack } from "../../ui/layout.tsx";
import { DialogError, useAction } from "./dialog-action.tsx";
import styles from "./dialogs.module.css";

/** Edits the attributes of a group: a name and a value per line. */
export function AttributesDialog({ group, onClose }: { group: GroupVO; onClose: () => void }) {
  const t = useText();
  const { groups } = useClient();
  const { isBusy, hasFailed, run } = useAction();
  const nextId = useRef(Object.keys(group.attributes).length);
  const [pairs, setPairs] = useState<readonly Pair[]>(() => {
    const existing = Object.entries(group.attributes).map(([key, value], id) => ({ id, key, value }));
    return existing.length > 0 ? existing : [{ id: nextId.current++, key: "", value: "" }];
  });
  const errors = pairErrors(pairs);
  const change = (id: number, part: Partial<Pair>) =>
    setPairs((current) => current.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("groups.attributes")}
      onSubmit={() => {
        if (errors.size === 0)
          run(() => groups.modify(group.id, { attributes: attributesOf(pairs) }), onClose);
      }}
      footer={
        <>
          {hasFailed && <DialogError text={t("groups.saveFailed")} />}
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit" isBusy={isBusy} disabled={errors.size > 0}>
            {t("groups.save")}
          </Button>
        </>
      }
    >
      <Stack gap={12}>
        {pairs.map(({ id, key, value }, index) => {
          const error = errors.get(id);
          return (
            <div key={id} className={styles.pair}>
              <TextField
                label={t("groups.attributeName")}
                isLabelHidden={index > 0}
                value={key}
                dir="auto"
                autoComplete="off"
                error={
                  error?.key &&
                  t(error.key === "tooLong" ? "friend.remarkTooLong" : `groups.attribute.${error.key}`, {
                    max: ATTRIBUTE_KEY_MAX,
                  })
                }
                onChange={(event) => change(id, { key: event.currentTarget.value })}
              />
              <TextField
                label={t("groups.attributeValue")}
                isLabelHidden={index > 0}
                value={value}
                dir="auto"
                autoComplete="off"
                error={error?.value && t("friend.remarkTooLong", { max: ATTRIBUTE_VALUE_MAX })}
                onChange={(event) => change(id, { value: event.currentTarget.value })}
              />
              <IconButton
                label={t("members.remove", { name: key.trim() || String(index + 1) })}
                size={40}
                className={index === 0 ? styles.besideLabel : undefined}
                onClick={() => setPairs((current) => current.filter((pair) => pair.id !== id))}
              >
                <X {...ICON_PROPS_16} />
              </IconButton>
            </div>
          );
        })}
        {pairs.length < ATTRIBUTES_MAX && (
          <div>
            <Button
              size="small"
              icon={<Plus {...ICON_PROPS_16} />}
              onClick={() =>
                setPairs((current) => [...current, { id: nextId.current++, key: "", value: "" }])
              }
            >
              {t("groups.addAttribute")}
            </Button>
          </div>
        )}
      </Stack>
    </Dialog>
  );
}

/** An attribute while it is being edited; `id` identifies its line. */
export interface Pair {
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

/** The problem of the name or the value of a line. */
interface PairErrors {
  readonly key?: "required" | "tooLong" | "twice";
  readonly value?: "tooLong";
}

/** Whether a line is empty; empty lines are left out and are no error. */
function isBlank(pair: Pair): boolean {
  return pair.key.trim() === "" && pair.value.trim() === "";
}

/** The problem of each line, by its id. */
export function pairErrors(pairs: readonly Pair[]): ReadonlyMap<number, PairErrors> {
  const errors = new Map<number, PairErrors>();
  const seen = new Set<string>();
  for (const pair of pairs) {
    if (isBlank(pair)) continue;
    const key = pair.key.trim();
    const found: PairErrors = {
      ...(key === ""
        ? { key: "required" as const }
        : countCodePoints(key) > ATTRIBUTE_KEY_MAX
          ? { key: "tooLong" as const }
          : seen.has(key) && { key: "twice" as const }),
      ...(countCodePoints(pair.value.trim()) > ATTRIBUTE_VALUE_MAX && { value: "tooLong" as const }),
    };
    seen.add(key);
    if (Object.keys(found).length > 0) errors.set(pair.id, found);
  }
  return errors;
}

/** The attributes in the form of the protocol. */
export function attributesOf(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.filter((pair) => !isBlank(pair)).map((pair) => [pair.key.trim(), pair.value.trim()]),
  );
}
