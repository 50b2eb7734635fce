import type { DisplaySettings } from "@parley/protocol/entities";
import { type Handlers, type Limits, Refusal } from "../../ports/call.ts";
import type { Store } from "../../ports/store.ts";
import { takeFiles } from "./files.ts";
import type { Passwords } from "./passwords.ts";
import { socketSecureOf } from "./settings.ts";

export interface RegisterDeps {
  store: Store;
  limits: Limits;
  passwords: Passwords;
  isHttps: boolean;
  settings: { isOpen: boolean; isInviteCodeRequired: boolean; isAvatarRequired: boolean };
}

export function createRegister(deps: RegisterDeps): Pick<Handlers, "register" | "loadGlobalSetting"> {
  const { store, limits, passwords, isHttps, settings } = deps;
  const displaySettings: DisplaySettings = {
    userRegisterInviteCode: settings.isInviteCodeRequired,
    updateAvatarAfterRegister: settings.isAvatarRequired,
  };
  return {
    loadGlobalSetting: (call) => ({ ...displaySettings, socketSecure: socketSecureOf(isHttps, call) }),

    async register({ body, ip, now }) {
      if (!settings.isOpen) throw new Refusal("register.closed");
      if (body.confirmPassword != null && body.confirmPassword !== body.password) {
        throw new Refusal("register.confirmMismatch");
      }
      const headImage = body.headImage || null;
      const headImageThumb = body.headImageThumb || null;
      if (settings.isAvatarRequired && headImage === null) throw new Refusal("register.avatarRequired");
      const avatar = [headImage, headImageThumb].filter((url) => url !== null);
      for (const url of avatar) if (!(await store.isIssuedFile(url))) throw new Refusal("file.notIssued");
      const inviteCode = settings.isInviteCodeRequired ? (body.spreadCode ?? "").trim() : undefined;
      if (inviteCode === "") throw new Refusal("register.inviteCodeWrong");
      await limits.take("registrations", ip);
      if (await store.findUserByName(body.userName)) throw new Refusal("register.userNameTaken");
      const passwordHash = await passwords.hash(body.password);
      await store.write(async (tx) => {
        if (inviteCode !== undefined && !(await tx.useInviteCode(inviteCode, now))) {
          throw new Refusal("register.inviteCodeWrong");
        }
        await takeFiles(tx, avatar);
        const user = await tx.insertUser({
          userName: body.userName,
          nickName: body.nickName,
          passwordHash,
          headImage,
          headImageThumb,
          registeredAt: now,
          registerDevice: body.registerDevice ?? null,
        });
        // Throwing gives the invite code back.
        if (user === undefined) throw new Refusal("register.userNameTaken");
      });
      return null;
    },
  };
}
