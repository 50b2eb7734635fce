import { useEffect, useState } from "react";
import { Bell } from "lucide-react";
import type { ViewerItem } from "../../src/features/chat/viewer/viewer-item.ts";
import { Viewer } from "../../src/features/chat/viewer/viewer.tsx";
import { CropDialog } from "../../src/kit/forms/crop-dialog.tsx";
import { Avatar } from "../../src/ui/avatar.tsx";
import { Button } from "../../src/ui/button.tsx";
import { EmptyState } from "../../src/ui/empty-state.tsx";
import * as icons from "../../src/ui/icons.tsx";
import { ICON_PROPS } from "../../src/ui/icon-props.ts";
import * as illustrations from "../../src/ui/illustrations.tsx";
import * as lazyIllustrations from "../../src/ui/lazy-illustrations.tsx";
import { Logo } from "../../src/ui/logo.tsx";
import { Opener, Sample, Samples as Row } from "../sample.tsx";

const ignore = () => undefined;

/** A picture of mountains, as large as asked for. */
const landscape = (width: number, height: number) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 12 8" preserveAspectRatio="none"><rect width="12" height="8" fill="#9fc3d6"/><circle cx="9" cy="2.5" r="1" fill="#fdefd6"/><path d="M0 6 3 2 6 5 9 3 12 6V8H0" fill="#537b8a"/></svg>`,
  )}`;

function viewerItem(key: string, url: string, part: Partial<ViewerItem> = {}): ViewerItem {
  return {
    key,
    kind: "picture",
    url,
    thumbUrl: null,
    placeholder: null,
    width: 0,
    height: 0,
    label: `图片 ${key}`,
    download: { url, fileName: `${key}.svg` },
    ...part,
  };
}

const WIDE = landscape(2_400, 1_600);
const VIEWER_ITEMS = [
  viewerItem("wide", WIDE, { width: 2_400, height: 1_600 }),
  viewerItem("high", landscape(900, 3_000)),
  viewerItem("small", landscape(120, 80)),
  viewerItem("broken", "data:image/png;base64,broken", { thumbUrl: WIDE, width: 600, height: 400 }),
  viewerItem("video", "data:video/mp4;base64,broken", { kind: "video", thumbUrl: WIDE }),
];

const caption = (item: ViewerItem) => <bdi>{`林晓 · ${item.key}`}</bdi>;

/** The crop dialog with a picked file. */
function CropSample({ shape, close }: { shape: "circle" | "rounded"; close: () => void }) {
  const [picked, setPicked] = useState<{ readonly file: File; readonly url: string } | null>(null);
  useEffect(() => {
    let url = "";
    void fetch(WIDE)
      .then((answer) => answer.blob())
      .then((blob) => {
        const file = new File([blob], "landscape.svg", { type: blob.type });
        url = URL.createObjectURL(file);
        setPicked({ file, url });
      });
    return () => URL.revokeObjectURL(url);
  }, []);
  if (picked === null) return null;
  return <CropDialog {...picked} shape={shape} onCropped={close} onFailure={ignore} onCancel={close} />;
}

/** Avatars, icons, illustrations and the logo, the viewer and the crop dialog. */
export function Samples() {
  return (
    <Row>
      {VIEWER_ITEMS.map(({ key }) => (
        <Opener key={key} name={`viewer, ${key}`}>
          {(close) => (
            <Viewer
              items={VIEWER_ITEMS}
              startKey={key}
              unknownBefore={22}
              renderCaption={caption}
              onClose={close}
            />
          )}
        </Opener>
      ))}
      <Opener name="crop for a person">{(close) => <CropSample shape="circle" close={close} />}</Opener>
      <Opener name="crop for a group">{(close) => <CropSample shape="rounded" close={close} />}</Opener>
      <Sample name="avatars of people, every colour">
        <Row>
          {["林晓", "Bo Larsen", "美玲", "Ada", "😀", "", "كريم", "Z"].map((name, id) => (
            <Avatar key={id} name={name} id={id} isOnline={id % 2 === 0} />
          ))}
        </Row>
      </Sample>
      <Sample name="avatars of groups and the system, a picture, a broken picture">
        <Row>
          <Avatar name="周末徒步" id={5} shape="rounded" />
          <Avatar name="" id={3} shape="rounded" icon={<Bell {...ICON_PROPS} />} />
          <Avatar name="Bo" id={2} url="/favicon.svg" isOnline />
          <Avatar name="Bo" id={2} url="data:image/png;base64,broken" />
        </Row>
      </Sample>
      <Sample name="avatars, sizes">
        <Row>
          {[28, 32, 36, 48, 56, 72].map((size) => (
            <Avatar key={size} name="林晓" id={1} size={size} isOnline />
          ))}
        </Row>
      </Sample>
      <Sample name="logo">
        <Logo />
      </Sample>
      {Object.entries(icons).map(([name, Icon]) => (
        <Sample key={name} name={name.replace("Icon", "")}>
          <Row>
            <Icon size={14} />
            <Icon />
            <Icon size={48} />
          </Row>
        </Sample>
      ))}
      {Object.entries({ ...illustrations, ...lazyIllustrations }).map(([name, Illustration]) => (
        <Sample key={name} name={name}>
          <EmptyState
            illustration={<Illustration />}
            text="还没有消息 Nothing here yet"
            action={<Button>开始聊天</Button>}
          />
        </Sample>
      ))}
    </Row>
  );
}
