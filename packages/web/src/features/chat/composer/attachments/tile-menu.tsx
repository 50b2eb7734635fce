import { ArrowLeft, ArrowRight, File, Image, Trash2 } from "lucide-react";
import type { DraftFile } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { useText } from "../../../../kit/i18n.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { MenuAt, MenuItem } from "../../../../ui/menu.tsx";
import { limitsOf } from "./attach-files.ts";
import type { FileKind } from "./file-kind.ts";
import { otherKind } from "./resend-as.ts";

interface TileMenuProps {
  x: number;
  y: number;
  file: DraftFile;
  /** Its index in the strip, which has `count` files. */
  place: number;
  count: number;
  /** Gets the focus back. */
  opener: HTMLElement | null;
  onMove: (place: number) => void;
  onChangeKind: (kind: FileKind) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** What can be done with a file of the strip: send it as another kind, move it, remove it. */
export function TileMenu(props: TileMenuProps) {
  const { x, y, file, place, count, opener, onMove, onChangeKind, onRemove, onClose } = props;
  const t = useText();
  const client = useClient();
  const other = otherKind(file, limitsOf(client).imageMax);
  return (
    <MenuAt x={x} y={y} side="top" label={file.name} opener={opener} onClose={onClose}>
      {other !== null && (
        <MenuItem
          icon={other === MessageType.FILE ? <File {...ICON_PROPS} /> : <Image {...ICON_PROPS} />}
          onSelect={() => onChangeKind(other)}
        >
          {t(other === MessageType.FILE ? "attach.asFile" : "attach.asPicture")}
        </MenuItem>
      )}
      {place > 0 && (
        <MenuItem icon={<ArrowLeft {...ICON_PROPS} />} onSelect={() => onMove(place - 1)}>
          {t("attach.moveBefore")}
        </MenuItem>
      )}
      {place < count - 1 && (
        <MenuItem icon={<ArrowRight {...ICON_PROPS} />} onSelect={() => onMove(place + 1)}>
          {t("attach.moveBehind")}
        </MenuItem>
      )}
      <MenuItem icon={<Trash2 {...ICON_PROPS} />} isDanger onSelect={onRemove}>
        {t("attach.removeShort")}
      </MenuItem>
    </MenuAt>
  );
}
