import { useState } from "react";
import { Bell, Plus, Trash2 } from "lucide-react";
import { JoinMode } from "@parley/protocol/codes";
import { JoinModeChoice } from "../../src/kit/chats/join-mode-choice.tsx";
import { LOCALES, LOCALE_NAMES } from "../../src/kit/i18n/locale.ts";
import { Badge } from "../../src/ui/badge.tsx";
import { Button, IconButton } from "../../src/ui/button.tsx";
import type { ButtonVariant } from "../../src/ui/button.tsx";
import { CheckMark } from "../../src/ui/check-mark.tsx";
import { Chip } from "../../src/ui/chip.tsx";
import { Checkbox, FieldNote, PasswordField, TextField } from "../../src/ui/field.tsx";
import { ICON_PROPS, ICON_PROPS_16 } from "../../src/ui/icon-props.ts";
import { InlineSelect } from "../../src/ui/inline-select.tsx";
import { Kbd } from "../../src/ui/kbd.tsx";
import { SearchBox } from "../../src/ui/search-box.tsx";
import { ChoiceChips } from "../../src/ui/choice-chips.tsx";
import { Segmented } from "../../src/ui/segmented.tsx";
import { Spinner } from "../../src/ui/spinner.tsx";
import { Switch } from "../../src/ui/switch.tsx";
import { Tabs } from "../../src/ui/tabs.tsx";
import { SelectField } from "../../src/ui/select-field.tsx";
import { TextArea } from "../../src/ui/text-area.tsx";
import { Sample, Samples as Row } from "../sample.tsx";

const VARIANTS: readonly ButtonVariant[] = ["primary", "secondary", "ghost", "danger", "dangerFill"];
const SIZES = ["small", "medium", "large"] as const;
const TEXT = "发送 Send";

/** Buttons, fields and other small parts. */
export function Samples() {
  const [tab, setTab] = useState("one");
  const [language, setLanguage] = useState<(typeof LOCALES)[number]>("zh-CN");
  const [joinMode, setJoinMode] = useState<JoinMode>(JoinMode.APPROVAL);
  const [isOn, setOn] = useState(true);
  const ignore = () => undefined;
  return (
    <Row>
      {VARIANTS.map((variant) => (
        <Sample key={variant} name={`button, ${variant}`}>
          <Row>
            {SIZES.map((size) => (
              <Button key={size} variant={variant} size={size}>
                {TEXT}
              </Button>
            ))}
            <Button variant={variant} icon={<Plus {...ICON_PROPS_16} />}>
              {TEXT}
            </Button>
            <Button variant={variant} isBusy>
              {TEXT}
            </Button>
            <Button variant={variant} disabled>
              {TEXT}
            </Button>
          </Row>
        </Sample>
      ))}
      <Sample name="wide button" isWide>
        <Button isWide>{TEXT}</Button>
      </Sample>
      {([28, 32, 36, 40] as const).map((size) => (
        <Sample key={size} name={`icon button, ${size} px: plain, on, danger, disabled, disabled danger`}>
          <Row>
            {[
              {},
              { isOn: true },
              { isDanger: true },
              { disabled: true },
              { isDanger: true, disabled: true },
            ].map((props, index) => (
              <IconButton key={index} label="Delete" size={size} {...props}>
                <Trash2 {...ICON_PROPS} />
              </IconButton>
            ))}
          </Row>
        </Sample>
      ))}
      <Sample name="badge: 1, 99, 100, muted, marked">
        <Row>
          <Badge count={1} />
          <Badge count={99} />
          <Badge count={100} />
          <Badge count={5} isMuted />
          <Badge count={0} isMarked />
        </Row>
      </Sample>
      {(["plain", "warm", "accent"] as const).map((tone) => (
        <Sample key={tone} name={`chip, ${tone}`}>
          <Chip tone={tone}>群主 Owner</Chip>
        </Sample>
      ))}
      <Sample name="check mark: off, on, locked">
        <Row>
          <CheckMark isOn={false} />
          <CheckMark isOn />
          <CheckMark isOn isLocked />
          <CheckMark isOn={false} isLocked />
        </Row>
      </Sample>
      <Sample name="keys">
        <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
      </Sample>
      <Sample name="spinner">
        <Spinner />
      </Sample>
      <Sample name="text field, hint">
        <TextField label="昵称 Nickname" hint="At most 20 characters" defaultValue="小林" />
      </Sample>
      <Sample name="text field, error">
        <TextField label="用户名 Username" error="用户名只能包含字母和数字" defaultValue="a b" />
      </Sample>
      <Sample name="text field, placeholder, start and end">
        <TextField
          label="Number"
          labelEnd="0/20"
          placeholder="138 0013 8000"
          start={<Bell {...ICON_PROPS_16} />}
          end={<Spinner size={16} />}
        />
      </Sample>
      <Sample name="text field, disabled">
        <TextField label="Number" disabled defaultValue="12" />
      </Sample>
      <Sample name="password">
        <PasswordField label="密码 Password" defaultValue="12345678" />
      </Sample>
      <Sample name="text area">
        <TextArea label="群公告 Notice" defaultValue={"One\nTwo"} hint="At most 1,000 characters" />
      </Sample>
      <Sample name="text area, error">
        <TextArea label="群公告 Notice" error="Too long" />
      </Sample>
      <Sample name="text area, disabled">
        <TextArea label="群公告 Notice" disabled defaultValue={"One\nTwo"} />
      </Sample>
      <Sample name="select field, wrong">
        <SelectField
          label="年 Year"
          value="2000"
          options={["2000", "1999"].map((value) => ({ value, text: value }))}
          isWrong
          onChange={ignore}
        />
      </Sample>
      <Sample name="field note">
        <FieldNote id="note" error="Something is wrong" />
      </Sample>
      <Sample name="check box: off, on, disabled">
        <Checkbox>记住密码</Checkbox>
        <Checkbox defaultChecked>Remember me</Checkbox>
        <Checkbox disabled>Disabled</Checkbox>
        <Checkbox disabled defaultChecked>
          Disabled
        </Checkbox>
      </Sample>
      <Sample name="switch: on or off, disabled">
        <span id="switch">消息免打扰</span>
        <Switch labelId="switch" isOn={isOn} onChange={setOn} />
        <Switch labelId="switch" isOn={false} onChange={ignore} isDisabled />
        <Switch labelId="switch" isOn onChange={ignore} isDisabled />
      </Sample>
      <Sample name="segmented">
        <span id="segmented" className="visually-hidden">
          Language
        </span>
        <Segmented
          labelId="segmented"
          value={language}
          options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
          onChange={setLanguage}
        />
      </Sample>
      <Sample name="choice chips">
        <ChoiceChips
          label="Language"
          value={language}
          options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], tooltip: value }))}
          onChange={setLanguage}
        />
      </Sample>
      <Sample name="way of joining a group">
        <span id="join-mode" className="visually-hidden">
          Joining
        </span>
        <JoinModeChoice labelId="join-mode" value={joinMode} onChange={setJoinMode} />
      </Sample>
      <Sample name="inline select">
        <InlineSelect
          label="Language"
          value={language}
          options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
          onChange={(value) => setLanguage(LOCALES.find((one) => one === value) ?? "zh-CN")}
        />
      </Sample>
      <Sample name="search box">
        <SearchBox label="搜索 Search" />
      </Sample>
      <Sample name="search box with text">
        <SearchBox label="Search" defaultValue="林晓" end={<Spinner size={16} />} />
      </Sample>
      <Sample name="tabs" isWide>
        <Tabs
          label="Settings"
          value={tab}
          onChange={setTab}
          tabs={["one", "two", "three"].map((value) => ({ value, text: `标签 ${value}`, content: value }))}
        />
      </Sample>
    </Row>
  );
}
