import { useId } from "react";
import { Camera } from "lucide-react";
import type { UserInfo } from "@parley/protocol/entities";
import { MOBILE_NUMBER_DIGITS, SIGNATURE_MAX } from "@parley/protocol/limits";
import { countCodePoints } from "@parley/protocol/text";
import { AvatarOpener } from "../../kit/people/avatar-opener.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { FieldNote, TextField } from "../../ui/field.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Row, Text } from "../../ui/layout.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { BirthdayField } from "./birthday-field.tsx";
import type { Profile } from "./use-profile-form.ts";
import styles from "./profile-dialog.module.css";

/** The fields of the profile settings (spec §5). */
export function ProfileFields({ user, profile }: { user: UserInfo; profile: Profile }) {
  const t = useText();
  const { form } = profile;
  const { values, textFieldProps } = form;
  const sexId = useId();
  const signatureLength = countCodePoints(values.signature);
  return (
    <div
      className={styles.fields}
      ref={(element) => {
        form.form.current = element?.closest("form") ?? null;
      }}
    >
      <Picture user={user} profile={profile} />
      <TextField {...textFieldProps("nickName")} label={t("register.nickname")} autoComplete="nickname" />
      <div>
        <Text as="div" id={sexId} size={13} line={20} tone="secondary" className={styles.label}>
          {t("profile.sex")}
        </Text>
        <Row className={styles.sex}>
          <Segmented
            labelId={sexId}
            value={values.sex === null ? "" : values.sex === 0 ? "0" : "1"}
            options={[
              { value: "0", text: t("profile.male") },
              { value: "1", text: t("profile.female") },
            ]}
            onChange={(value) => form.change({ sex: value === "0" ? 0 : 1 })}
          />
        </Row>
      </div>
      <TextField
        {...textFieldProps("mobile")}
        label={t("profile.mobile")}
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        maxLength={MOBILE_NUMBER_DIGITS}
      />
      <TextField
        {...textFieldProps("email")}
        label={t("profile.email")}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className={styles.whole}>
        <BirthdayField
          birthday={values.birthday}
          error={form.errorOf("birthday")}
          onChange={(birthday) => form.change({ birthday })}
          onLeave={() => form.leave("birthday")}
        />
      </div>
      <div className={styles.whole}>
        <TextArea
          name="signature"
          label={t("profile.signature")}
          labelEnd={`${signatureLength} / ${SIGNATURE_MAX}`}
          value={values.signature}
          rows={2}
          error={form.errorOf("signature")}
          onChange={(event) => form.change({ signature: event.currentTarget.value })}
          onBlur={() => form.leave("signature")}
        />
      </div>
    </div>
  );
}

/** One's picture and user name, and the button that changes the picture. The chosen part is uploaded at once, and saved with the form. */
function Picture({ user, profile }: { user: UserInfo; profile: Profile }) {
  const t = useText();
  const client = useClient();
  const noteId = useId();
  const { form, upload } = profile;
  const { headImage, headImageThumb } = form.values;
  const name = form.values.nickName.trim() || user.userName;
  const urlOf = (path: string | null) => (path === null || path === "" ? null : client.fileUrl(path));
  const whole = urlOf(headImage) ?? urlOf(headImageThumb);
  const thumb = urlOf(headImageThumb) ?? whole;
  return (
    <div className={styles.picture}>
      <AvatarOpener name={name} url={whole} thumbUrl={thumb}>
        <Avatar name={name} id={user.id} url={thumb} size={72} />
      </AvatarOpener>
      <div className={styles.names}>
        <p className={styles.userName}>{user.userName}</p>
        <Text as="p" size={13} tone="tertiary">
          {t("profile.id", { id: String(user.id) })}
        </Text>
      </div>
      <input
        {...upload.inputProps}
        className="visually-hidden"
        aria-label={t("register.avatar")}
        aria-describedby={noteId}
        tabIndex={-1}
      />
      <Button
        icon={<Camera {...ICON_PROPS} />}
        isBusy={upload.isBusy}
        aria-describedby={noteId}
        onClick={upload.pick}
      >
        {t(upload.isBusy ? "register.avatarUploading" : "register.changeAvatar")}
      </Button>
      <div className={styles.pictureNote}>
        <FieldNote id={noteId} error={upload.problem ?? form.errorOf("headImage")} />
      </div>
    </div>
  );
}
