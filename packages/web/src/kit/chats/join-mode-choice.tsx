import { JoinMode } from "@parley/protocol/codes";
import { Segmented } from "../../ui/segmented.tsx";
import { useText } from "../i18n/i18n.ts";

interface JoinModeChoiceProps {
  /** Id of the element that names the choice. */
  labelId: string;
  value: JoinMode;
  onChange: (mode: JoinMode) => void;
}

const MODES = [JoinMode.FREE, JoinMode.APPROVAL, JoinMode.INVITATION] as const;

/** How people join a group. */
export function JoinModeChoice({ labelId, value, onChange }: JoinModeChoiceProps) {
  const t = useText();
  return (
    <Segmented
      labelId={labelId}
      value={`${value}`}
      options={MODES.map((mode) => ({ value: `${mode}` as const, text: t(`groups.joinMode.${mode}`) }))}
      onChange={(text) => {
        const mode = MODES.find((one) => `${one}` === text);
        if (mode !== undefined) onChange(mode);
      }}
    />
  );
}
