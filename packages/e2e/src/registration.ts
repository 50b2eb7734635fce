import { PASSWORD } from "./api.ts";
import type { Person } from "./person.ts";

/** Opens the registration and fills in what every account needs, as these options of the person say. */
export async function fillRegistration(person: Person): Promise<void> {
  const { userName, nickName } = person.options;
  await person.open("/register");
  await person.field("login.username").fill(userName);
  await person.field("register.nickname").fill(nickName);
  await person.byLabel("login.password").fill(PASSWORD);
  await person.byLabel("register.confirm").fill(PASSWORD);
}
