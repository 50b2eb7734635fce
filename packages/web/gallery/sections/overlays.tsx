import { useRef } from "react";
import { Globe, Pin, Trash2 } from "lucide-react";
import { LOCALES, LOCALE_NAMES } from "../../src/kit/i18n/locale.ts";
import { useLocale } from "../../src/kit/i18n/i18n.ts";
import { Button, IconButton } from "../../src/ui/button.tsx";
import { Calendar } from "../../src/ui/calendar.tsx";
import type { CalendarTexts } from "../../src/ui/calendar.tsx";
import { ConfirmDialog, Dialog, PaletteDialog } from "../../src/ui/dialog.tsx";
import { TextField } from "../../src/ui/field.tsx";
import { ICON_PROPS } from "../../src/ui/icon-props.ts";
import {
  Menu,
  MenuAt,
  MenuItem,
  MenuRadioGroup,
  MenuRow,
  MenuRowItem,
  MenuSeparator,
  SubMenu,
} from "../../src/ui/menu.tsx";
import { SearchBox } from "../../src/ui/search-box.tsx";
import { showToast } from "../../src/ui/toast-store.ts";
import { LONG_TEXT } from "../sample-state.ts";
import { Opener, Samples as Row } from "../sample.tsx";

const ignore = () => undefined;

const items = (
  <>
    <MenuRow label="Row">
      <MenuRowItem label="Yes" isOn onSelect={ignore}>
        👍
      </MenuRowItem>
      <MenuRowItem label="No" isOn={false} onSelect={ignore}>
        👎
      </MenuRowItem>
      <MenuRowItem label="Globe" onSelect={ignore}>
        <Globe {...ICON_PROPS} />
      </MenuRowItem>
    </MenuRow>
    <MenuSeparator />
    <MenuItem icon={<Pin {...ICON_PROPS} />} keys="F5" onSelect={ignore}>
      置顶 Pin
    </MenuItem>
    <SubMenu icon={<Globe {...ICON_PROPS} />} label="语言 Language">
      <MenuRadioGroup
        label="Language"
        value="zh-CN"
        items={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
        onChange={ignore}
      />
    </SubMenu>
    <MenuSeparator />
    <MenuRadioGroup
      label="Alerts"
      value="all"
      items={[
        { value: "all", text: "All messages" },
        { value: "none", text: "None" },
      ]}
      onChange={ignore}
    />
    <MenuSeparator />
    <MenuItem icon={<Trash2 {...ICON_PROPS} />} isDanger onSelect={ignore}>
      删除 Delete
    </MenuItem>
  </>
);

const CALENDAR_TEXTS: CalendarTexts = {
  previousYear: "Previous year",
  previousMonth: "Previous month",
  nextMonth: "Next month",
  nextYear: "Next year",
  day: (name) => name,
};

const findMarkedDays = (month: string) => Promise.resolve(new Set([`${month}-03`, `${month}-15`]));

function CalendarSample({ close }: { close: () => void }) {
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton ref={opener} label="Calendar">
        <Globe {...ICON_PROPS} />
      </IconButton>
      <Calendar
        label="Day"
        opener={opener}
        locale={useLocale()}
        firstWeekday={1}
        texts={CALENDAR_TEXTS}
        value="2026-06-15"
        today="2026-06-17"
        min="2020-01-01"
        max="2026-06-17"
        findMarkedDays={findMarkedDays}
        onChoose={ignore}
        onClose={close}
      />
    </>
  );
}

/** What covers other parts: dialogs, menus, the calendar, toasts and the tooltip. */
export function Samples() {
  const toast = () => {
    showToast("info", "已复制 Copied", 10_000);
    showToast("success", "好友请求已发送", 10_000, { label: "查看", run: ignore });
    showToast("error", LONG_TEXT, 10_000);
  };
  return (
    <Row>
      <Opener name="dialog">
        {(close) => (
          <Dialog
            isOpen
            title="群名称 Name of the group"
            description="Everybody in the group sees it."
            onClose={close}
            onSubmit={close}
            footer={
              <>
                <Button onClick={close}>取消</Button>
                <Button type="submit" variant="primary">
                  保存
                </Button>
              </>
            }
          >
            <TextField label="Name" defaultValue="周末徒步" />
          </Dialog>
        )}
      </Opener>
      <Opener name="reading dialog">
        {(close) => (
          <Dialog isOpen isReading title="公告 Notice" onClose={close}>
            {LONG_TEXT.repeat(20)}
          </Dialog>
        )}
      </Opener>
      <Opener name="palette">
        {(close) => (
          <PaletteDialog title="Search" width={560} onClose={close}>
            <SearchBox label="搜索 Search" autoFocus />
            <p>{LONG_TEXT}</p>
          </PaletteDialog>
        )}
      </Opener>
      <Opener name="confirmation">
        {(close) => (
          <ConfirmDialog
            isOpen
            title="退出登录？"
            body="Drafts stay on this device."
            confirmLabel="退出"
            cancelLabel="取消"
            onConfirm={close}
            onCancel={close}
          />
        )}
      </Opener>
      <Opener name="dangerous confirmation">
        {(close) => (
          <ConfirmDialog
            isOpen
            isDanger
            title="解散该群？"
            body={LONG_TEXT}
            confirmLabel="解散 Dissolve"
            cancelLabel="取消"
            onConfirm={close}
            onCancel={close}
          />
        )}
      </Opener>
      <Menu trigger={<Button data-opener="menu">menu</Button>}>{items}</Menu>
      <Opener name="context menu">
        {(close) => (
          <MenuAt x={40} y={120} label="Chat" opener={null} onClose={close}>
            {items}
          </MenuAt>
        )}
      </Opener>
      <Opener name="calendar">{(close) => <CalendarSample close={close} />}</Opener>
      <Button data-opener="toasts" onClick={toast}>
        toasts
      </Button>
      <Button data-tip={LONG_TEXT} data-tip-side="right">
        tooltip
      </Button>
    </Row>
  );
}
