import { Bell } from "lucide-react";
import { Avatar } from "../../src/ui/avatar.tsx";
import { Button } from "../../src/ui/button.tsx";
import { EmptyState } from "../../src/ui/empty-state.tsx";
import * as icons from "../../src/ui/icons.tsx";
import { ICON_PROPS } from "../../src/ui/icon-props.ts";
import * as illustrations from "../../src/ui/illustrations.tsx";
import { Logo } from "../../src/ui/logo.tsx";
import { Sample, Samples as Row } from "../sample.tsx";

/** Avatars, icons, illustrations and the logo. */
export function Samples() {
  return (
    <Row>
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
      {Object.entries(illustrations).map(([name, Illustration]) => (
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
