import type { DisplaySettings } from "@parley/protocol/entities";
import { normalizePassword } from "@parley/protocol/password";
import { claimPictures } from "../../access/claim-pictures.ts";
import { ApiError, refuseIfLimited } from "../../api/api-error.ts";
import type { Handlers } from "../../api/api-call.ts";
import { networkOf } from "../../api/network-of.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { AccountsStore } from "./accounts-store.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { isSocketSecure } from "./settings.ts";

export interface RegisterDeps {
  store: AccountsStore;
  rateLimiter: RateLimiter;
  passwordHasher: PasswordHasher;
  isHttps: boolean;
  /** What holds now. */
  registration(): { isOpen: boolean; isInviteCodeRequired: boolean; isAvatarRequired: boolean };
}

export function createRegister(deps: RegisterDeps): Pick<Handlers, "register" | "loadGlobalSetting"> {
  const { store, rateLimiter, passwordHasher, isHttps, registration } = deps;
  const displaySettings = (): DisplaySettings => {
    const { isInviteCodeRequired, isAvatarRequired } = registration();
    return { userRegisterInviteCode: isInviteCodeRequired, updateAvatarAfterRegister: isAvatarRequired };
  };
  return {
    loadGlobalSetting: (call) => ({ ...displaySettings(), socketSecure: isSocketSecure(isHttps, call) }),

    async register({ body, ip, now }) {
      const settings = registration();
      if (!settings.isOpen) throw new ApiError("register.closed");
      const { password, confirmPassword } = body;
      if (confirmPassword != null && normalizePassword(confirmPassword) !== normalizePassword(password)) {
        throw new ApiError("register.confirmMismatch");
      }
      const headImage = body.headImage || null;
      const headImageThumb = body.headImageThumb || null;
      if (settings.isAvatarRequired && headImage === null) throw new ApiError("register.avatarRequired");
      const avatar = [headImage, headImageThumb].filter((url) => url !== null);
      for (const url of avatar) {
        if ((await store.findFile(url)) === undefined) throw new ApiError("file.notIssued");
      }
      const inviteCode = settings.isInviteCodeRequired
        ? (body.spreadCode ?? "").normalize("NFKC").trim()
        : undefined;
      if (inviteCode === "") throw new ApiError("register.inviteCodeWrong");
      refuseIfLimited(await rateLimiter.consume("registrations", networkOf(ip)));
      if (await store.findUserByName(body.userName)) throw new ApiError("register.userNameTaken");
      const passwordHash = await passwordHasher.hash(password, networkOf(ip));
      await store.write(async (tx) => {
        if (inviteCode !== undefined && !(await tx.useInviteCode(inviteCode, now))) {
          throw new ApiError("register.inviteCodeWrong");
        }
        await claimPictures(tx, { headImage, headImageThumb });
        const user = await tx.insertUser({
          userName: body.userName,
          nickName: body.nickName,
          passwordHash,
          headImage,
          headImageThumb,
          registeredAt: now,
          registerDevice: body.registerDevice ?? null,
        });
        // Throwing rolls back the use of the invite code.
        if (user === undefined) throw new ApiError("register.userNameTaken");
      });
      return null;
    },
  };
}
