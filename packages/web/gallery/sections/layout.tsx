import { WifiOff, Info } from "lucide-react";
import { useState } from "react";
import { AuthAlternative, AuthFailure, AuthFrame } from "../../src/ui/auth-frame.tsx";
import { Banner, BannerAction } from "../../src/ui/banner.tsx";
import { Button } from "../../src/ui/button.tsx";
import { ICON_PROPS_16 } from "../../src/ui/icon-props.ts";
import { EditableKeyValueRow, KeyValueList, KeyValueRow } from "../../src/ui/key-value-list.tsx";
import {
  ListPane,
  MainPane,
  PaneBanner,
  PaneLayoutProvider,
  usePaneLayout,
} from "../../src/ui/list-pane.tsx";
import { SearchBox } from "../../src/ui/search-box.tsx";
import { Skeleton, SkeletonRows } from "../../src/ui/skeleton.tsx";
import { SettingRow } from "../../src/features/settings/setting-row.tsx";
import { Switch } from "../../src/ui/switch.tsx";
import { Sample, Samples as Row } from "../sample.tsx";
import styles from "../gallery.module.css";

const offline = (
  <Banner
    icon={<WifiOff {...ICON_PROPS_16} />}
    action={<BannerAction onClick={() => undefined}>立即重试</BannerAction>}
  >
    网络已断开 No connection
  </Banner>
);

/** Frames of screens, banners, and lists of values. */
export function Samples() {
  const [width, setWidth] = useState(250);
  const layout = usePaneLayout();
  return (
    <Row>
      <Sample name="list and main pane with a banner" isWide height={240}>
        <PaneLayoutProvider value={{ ...layout, width, setWidth, banner: offline }}>
          <div className={styles.panes}>
            <ListPane label="Chats" header={<SearchBox label="搜索 Search" />}>
              <SkeletonRows count={2} />
            </ListPane>
            <MainPane label="Chat" hasOwnBanner background="window">
              <PaneBanner />
              Main
            </MainPane>
          </div>
        </PaneLayoutProvider>
      </Sample>
      <Sample name="collapsed list" isWide height={160}>
        <PaneLayoutProvider value={{ ...layout, isCollapsed: true }}>
          <div className={styles.panes}>
            <ListPane label="Chats" header={null}>
              List
            </ListPane>
            <MainPane label="Chat">Main</MainPane>
          </div>
        </PaneLayoutProvider>
      </Sample>
      <Sample name="banner, info" isWide>
        <Banner tone="info" icon={<Info {...ICON_PROPS_16} />}>
          群公告 A notice
        </Banner>
      </Sample>
      <Sample name="skeleton">
        <Skeleton width={200} height={16} />
      </Sample>
      <Sample name="key-value list: text, missing, control, editable" isWide>
        <KeyValueList>
          <KeyValueRow label="用户名 Username" text="xiaolin" />
          <KeyValueRow label="签名 Signature" text="None" isMuted />
          <KeyValueRow label="Mute" text="No sound and no notification">
            {({ labelId, hintId }) => (
              <Switch labelId={labelId} hintId={hintId} isOn onChange={() => undefined} />
            )}
          </KeyValueRow>
          <KeyValueRow label="History" isBelow>
            <Button size="small">清空</Button>
          </KeyValueRow>
          <EditableKeyValueRow
            label="备注 Remark"
            value="Bo"
            emptyText="None"
            editLabel="Edit"
            saveLabel="Save"
            cancelLabel="Cancel"
            check={() => null}
            onSave={() => Promise.resolve(true)}
          />
        </KeyValueList>
      </Sample>
      <Sample name="setting" isWide>
        <SettingRow label="新消息提示音 Sound" hint="For messages of chats that are not muted">
          {({ labelId, hintId }) => (
            <Switch labelId={labelId} hintId={hintId} isOn onChange={() => undefined} />
          )}
        </SettingRow>
      </Sample>
      <Sample name="page before sign-in" isWide>
        <AuthFrame title="登录 Sign in" subtitle="欢迎回来" corner="Language" footer="Parley">
          <AuthFailure>密码错误 Wrong password</AuthFailure>
          <Button variant="primary" size="large" isWide>
            登录
          </Button>
          <AuthAlternative>
            没有账号？<a href="#register">注册</a>
          </AuthAlternative>
        </AuthFrame>
      </Sample>
    </Row>
  );
}
