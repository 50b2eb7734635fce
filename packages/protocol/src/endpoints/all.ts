import * as account from "./account.ts";
import * as contacts from "./contacts.ts";
import * as messages from "./messages.ts";
import * as search from "./search.ts";
import * as uploads from "./uploads.ts";
import * as users from "./users.ts";
import * as changes from "./changes.ts";
import type { Endpoint } from "../endpoint.ts";

/** Every endpoint by name. A server that misses a handler for one of them does not compile. */
export const ENDPOINTS = {
  login: account.login,
  logout: account.logout,
  refreshToken: account.refreshToken,
  register: account.register,
  modifyPwd: account.modifyPwd,
  listSessions: account.listSessions,
  endSession: account.endSession,
  unregister: account.unregister,
  loadGlobalSetting: account.loadGlobalSetting,
  loadSystemConfig: account.loadSystemConfig,
  self: users.self,
  findUser: users.findUser,
  findUsersByName: users.findUsersByName,
  updateUser: users.updateUser,
  setManualApprove: users.setManualApprove,
  findOnlineTerminals: users.findOnlineTerminals,
  loadChanges: changes.loadChanges,
  listFriends: contacts.listFriends,
  findFriend: contacts.findFriend,
  applyFriend: contacts.applyFriend,
  approveFriendRequest: contacts.approveFriendRequest,
  rejectFriendRequest: contacts.rejectFriendRequest,
  recallFriendRequest: contacts.recallFriendRequest,
  listFriendRequests: contacts.listFriendRequests,
  addFriend: contacts.addFriend,
  deleteFriend: contacts.deleteFriend,
  updateFriendRemark: contacts.updateFriendRemark,
  setFriendMsgRemind: contacts.setFriendMsgRemind,
  setFriendTop: contacts.setFriendTop,
  setFriendDnd: contacts.setFriendDnd,
  addToBlacklist: contacts.addToBlacklist,
  removeFromBlacklist: contacts.removeFromBlacklist,
  listBlacklist: contacts.listBlacklist,
  sendPrivateMessage: messages.sendPrivateMessage,
  pullPrivateMessages: messages.pullPrivateMessages,
  pullGroupMessages: messages.pullGroupMessages,
  pullSystemMessages: messages.pullSystemMessages,
  loadPrivateMessages: messages.loadPrivateMessages,
  loadGroupMessages: messages.loadGroupMessages,
  privateHistory: messages.privateHistory,
  readPrivateMessages: messages.readPrivateMessages,
  maxReadedId: messages.maxReadedId,
  readSystemMessages: messages.readSystemMessages,
  recallPrivateMessage: messages.recallPrivateMessage,
  deletePrivateMessages: messages.deletePrivateMessages,
  searchMessages: search.searchMessages,
  flushAllMessages: users.flushAllMessages,
  systemContent: messages.systemContent,
  uploadImage: uploads.uploadImage,
} as const satisfies Record<string, Endpoint>;
export type EndpointName = keyof typeof ENDPOINTS;
