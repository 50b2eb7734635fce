/**
 * All limits, windows and timers of the protocol. What only a screen needs is not here, but where it is used. The names contain the units;
 * lengths count Unicode code points.
 */

// spec §9
export const REQUEST_TIMEOUT_MS = 30_000;
export const HEARTBEAT_AFTER_REPLY_MS = 5_000;
export const RECONNECT_DELAY_MS = 15_000;
/** After a close because too much came from the person or the address. */
export const FLOODED_RECONNECT_DELAY_MS = 60_000;
export const PLAIN_FALLBACK_DELAY_MS = 2_000;
export const RESEND_WHILE_CONNECTING_MS = 1_000;
export const PRESENCE_REFRESH_MS = 30_000;
export const FRIEND_SEARCH_MAX = 20;
export const AVATAR_MAX_BYTES = 5_242_880;
export const BIRTHDAY_FIRST_YEAR = 1950;
export const MOBILE_NUMBER_DIGITS = 11;

// Lengths
export const USER_NAME_MAX = 20;
export const NICK_NAME_MAX = 40;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 72;
export const SIGNATURE_MAX = 128;
export const REMARK_MAX = 20;
export const EMAIL_MAX = 100;
export const DEVICE_TEXT_MAX = 200;
/** A text of a broadcast, and of any message if the server does not say what it takes (`message.textMax` of the system config). */
export const TEXT_MAX = 1_024;
/** What a server takes unless its operator has chosen another length, and the most that one may choose. */
export const TEXT_MAX_DEFAULT = 4_000;
export const TEXT_MAX_HIGHEST = 10_000;
export const TMP_ID_MAX = 64;
export const LOCATION_NAME_MAX = 100;
export const LOCATION_ADDRESS_MAX = 200;
export const FILE_NAME_MAX = 255;
/** The longest emoji has 10 code points. */
export const REACTION_KEY_MAX = 16;
/** Length of the placeholder of a picture, as base64. */
export const PLACEHOLDER_MAX = 400;
/** Number of bars of a voice message. */
export const WAVE_BARS_MIN = 24;
export const WAVE_BARS_MAX = 64;
/** Length of a content other than text, as JSON, in UTF-16 units. */
export const CONTENT_MAX = 4_096;
export const GROUP_NAME_MAX = 60;
export const NOTICE_MAX = 1_024;
export const SAVED_NOTE_MAX = 200;
export const SAVED_TAG_MAX = 20;
export const AT_LIST_MAX = 20;
export const MEMBER_BATCH_MAX = 50;

export const BAN_REASON_MAX = 100;
export const REPORT_TEXT_MAX = 500;
export const NOTICE_TITLE_MAX = 100;
export const SETUP_TOKEN_MAX = 100;

export const PUSH_ENDPOINT_MAX = 1_024;
/** Text of a message in a web push. */
export const PUSH_TEXT_MAX = 120;

export const ATTRIBUTE_KEY_MAX = 20;
export const ATTRIBUTE_VALUE_MAX = 128;

// Counts
export const GROUP_MEMBERS_MAX = 500;
export const LARGE_GROUP_MEMBERS_MAX = 3_000;
/** In a larger group, messages cannot ask for receipts. */
export const RECEIPT_MEMBERS_MAX = 500;
/** In larger groups nobody is told who types. */
export const TYPING_MEMBERS_MAX = 100;
export const GROUP_SEARCH_MAX = 20;
export const ATTRIBUTES_MAX = 20;
export const PENDING_REQUESTS_MAX = 20;
export const HISTORY_PAGE_MAX = 100;
/** Maximum number of hits in one search answer. */
export const SEARCH_PAGE = 50;
/** Maximum number of days in one call for the days of a chat. */
export const MONTH_DAYS_MAX = 31;
export const SEARCH_QUERY_MAX = 64;
export const DELETE_BATCH_MAX = 100;
/** Reactions of one person to one message, and different ones of all people. */
export const REACTIONS_PER_PERSON = 3;
export const REACTION_KEYS_MAX = 20;
/** People of a page of those who reacted, or voted for an option. */
export const PEOPLE_PAGE = 50;
/** Pinned messages of a chat. */
export const PINS_MAX = 50;
/** A poll. */
export const POLL_QUESTION_MAX = 200;
export const POLL_OPTION_MAX = 100;
export const POLL_OPTIONS_MIN = 2;
export const POLL_OPTIONS_MAX = 20;
/** Lines of a sign-up list, so that it fits into a frame. */
export const SIGN_UP_LINES_MAX = 100;
/** Saved messages of a person, and those of a page of them. */
export const SAVED_MAX = 5_000;
export const SAVED_PAGE = 100;
export const SAVED_TAGS_MAX = 5;
/** How many of those who chose a key are named with it. */
export const TALLY_FIRST_MAX = 3;
/** Extras of one answer of the change feed. */
export const EXTRA_CHANGES_MAX = 500;
export const ONLINE_QUERY_MAX = 1_000;
/** Web push subscriptions of one person; a further one replaces the oldest. */
export const PUSH_SUBSCRIPTIONS_MAX = 10;
/** Rows of a page for administrators. */
export const ADMIN_PAGE_MAX = 100;
/** People that one notice may name; a notice to everybody names nobody. */
export const NOTICE_RECEIVERS_MAX = 1_000;
export const INVITE_CODE_USES_MAX = 100_000;
export const INVITE_CODE_DAYS_MAX = 36_500;
export const UPLOAD_MAX_MB_MAX = 100_000;
export const UPLOAD_DAILY_MB_MAX = 100_000_000;
export const FIRST_PULL_PRIVATE_MAX = 10_000;
export const FIRST_PULL_GROUP_MAX = 3_000;
/** Chats of the answer that a new device shows before its first pull has ended. */
export const FIRST_CHATS_DEFAULT = 30;
export const FIRST_CHATS_MAX = 50;
/** That answer counts no further than this in a chat. */
export const FIRST_UNREAD_MAX = 100;
/** Code points of a message in that answer. */
export const FIRST_TEXT_MAX = 120;

/** People that one request may invite to a call of a group; the server may allow fewer in a call (`webrtc.maxChannel`). */
export const CALL_PEOPLE_MAX = 100;
/** Characters of the reason why a call cannot work on a device. */
export const CALL_REASON_MAX = 100;
/** Candidates that wait for a callee, and signals that wait for a client without a socket. */
export const CALL_SIGNALS_MAX = 64;

// Bytes
export const BODY_MAX_BYTES = 65_536;
export const FRAME_MAX_BYTES = 65_536;
/** Length of the list of `/chats/first`, as JSON. */
export const FIRST_CHATS_MAX_BYTES = 40_000;
export const SOCKET_BUFFER_MAX_BYTES = 4_194_304;
export const IMAGE_MAX_BYTES = 20_971_520;
export const IMAGE_MAX_PIXELS = 50_000_000;
/** Without an account, for an avatar: 2048 x 2048. */
export const AVATAR_MAX_PIXELS = 4_194_304;
export const THUMB_MAX_PX = 400;
export const PLACEHOLDER_MAX_PX = 16;

// Timers and windows
export const ACCESS_TOKEN_SECONDS = 1_800;
export const REFRESH_TOKEN_SECONDS = 604_800;
/** A replaced refresh token is still accepted for this time; later use ends the session. */
export const REFRESH_GRACE_MS = 60_000;
/** An access token that expires within this time is refreshed before a socket login. */
export const TOKEN_REFRESH_AHEAD_MS = 60_000;
export const SOCKET_LOGIN_TIMEOUT_MS = 10_000;
export const SOCKET_IDLE_MS = 60_000;
export const SOCKET_PING_MS = 25_000;
export const KICK_CLOSE_DELAY_MS = 5_000;
/** A pull also returns rows that were stored in this time before the cursor's row. */
export const PULL_OVERLAP_MS = 30_000;
export const OFFLINE_WINDOW_MS = 30 * 24 * 3_600_000;
/** A client reports the read position of a chat at most once in this time. */
export const READ_REPORT_MS = 500;
/** What is done to one message in this time is one push. */
export const EXTRA_PUSH_MS = 250;
/** While a person types, a client says so at most once in this time. */
export const TYPING_INTERVAL_MS = 4_000;
/** For how long it counts that somebody types. */
export const TYPING_SHOWN_MS = 6_000;
/** At most one nudge (SHAKE) in this time for a sender and chat. */
export const SHAKE_INTERVAL_MS = 10_000;
/** How long a call rings. */
export const CALL_RING_MS = 30_000;
/** A client in a call says this often that it is still there (spec §9). */
export const CALL_HEARTBEAT_MS = 15_000;
/** Without a heartbeat in this time, a client is no longer in the call. */
export const CALL_HEARTBEAT_TIMEOUT_MS = 3 * CALL_HEARTBEAT_MS;
/** As long a client may be in a call without a socket and without a heartbeat. */
export const CALL_DETACHED_MS = 25_000;
export const RECALL_SECONDS_DEFAULT = 300;
export const EDIT_SECONDS_DEFAULT = 3_600;
/** The longest windows of recall and edit that an operator may set. */
export const WINDOW_SECONDS_MAX = 86_400_000;
