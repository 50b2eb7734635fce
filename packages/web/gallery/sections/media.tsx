import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { CONTENT_EXAMPLES } from "@parley/protocol/kind-examples";
import type { ChatMessage, PendingUpload } from "@parley/core/model/state";
import { FRIEND, FRIEND_CHAT, GROUP_CHAT, localEcho } from "@parley/core/testing/builders";
import { VoiceBar } from "../../src/features/chat/message/voice/voice-controls.tsx";
import { useVoiceStore } from "../../src/features/chat/message/voice/voice-store.ts";
import { MediaPanel } from "../../src/features/chat/panel/media/media-panel.tsx";
import { Conversation } from "../conversation.tsx";
import { BROKEN } from "../sample-files.ts";
import { ADMIN } from "../sample-state.ts";
import { inGroup, mine, NOW, theirs } from "../sample-rows.ts";
import { Sample, Samples as Row } from "../sample.tsx";

const content = (type: number, value: object) => ({ type, content: JSON.stringify(value) });
const picture = (name: string, width = 300, height = 200) =>
  content(MessageType.IMAGE, {
    originUrl: `/files/x/${name}.png`,
    thumbUrl: `/files/x/${name}-small.webp`,
    width,
    height,
    placeholder: CONTENT_EXAMPLES[MessageType.IMAGE][0]?.placeholder,
  });
const file = (name: string, size: number) =>
  content(MessageType.FILE, { name, size, url: "/files/x/file.bin" });
const WAVE = "0248acdb97531135799bdfeca8642013";
const voice = (duration: number) =>
  content(MessageType.AUDIO, { duration, url: "/files/x/voice.webm", wave: WAVE });
const grid = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => theirs(from + index, picture(`grid${count}-${index}`)));

const upload = (part: Partial<PendingUpload>): PendingUpload => ({
  name: "IMG_0612.jpg",
  size: 19_293_798,
  mimeType: "image/jpeg",
  width: 1_200,
  height: 800,
  duration: null,
  wave: null,
  ...part,
});
const echo = (
  tmpId: string,
  type: number,
  part: Partial<ChatMessage> = {},
  file: Partial<PendingUpload> = {},
) => localEcho(tmpId, { sendTime: NOW, type, content: "", upload: upload(file), ...part });
const timeout = { kind: "network", reason: "timeout" } as const;
const quoted = { id: 1, sendId: FRIEND, status: MessageStatus.SENDED };

/** A voice message that plays: the one of the sample below. */
const PLAYING = theirs(3, voice(17));
useVoiceStore.setState({
  current: {
    chatKey: FRIEND_CHAT,
    message: PLAYING,
    isPlaying: true,
    position: 6,
    duration: 17,
    problem: null,
  },
});

/** Pictures, files, voice messages and videos in every state, and the lists of the side panel. */
export function Samples() {
  return (
    <>
      <Sample
        name="pictures: landscape, portrait, a strip, tiny, of unknown size, one that cannot be loaded"
        isWide
      >
        {[
          picture("wide"),
          picture("tall", 900, 1_600),
          picture("strip", 4_000, 200),
          picture("tiny", 16, 16),
        ].map((part, index) => (
          <Conversation key={index} messages={[theirs(1, part)]} />
        ))}
        <Conversation messages={[mine(1, picture("unknown", 0, 0))]} />
        <Conversation messages={[mine(1, picture(BROKEN))]} />
      </Sample>
      {[2, 3, 4, 5, 9].map((count) => (
        <Sample key={count} name={`a grid of ${count}`} isWide>
          <Conversation messages={grid(count)} />
        </Sample>
      ))}
      <Sample
        name="a grid of mine in a run with a text, read; one of a group; one that is being selected"
        isWide
      >
        <Conversation
          messages={[
            mine(1, { content: "三张图" }),
            ...["a", "b", "c"].map((name, index) => mine(2 + index, picture(name))),
          ]}
        />
        <Conversation
          chatKey={GROUP_CHAT}
          messages={["d", "e"].map((name, index) => inGroup(1 + index, { sendId: ADMIN, ...picture(name) }))}
        />
        <Conversation isSelecting messages={grid(2, 20)} />
      </Sample>
      <Sample name="being sent: pictures, a file, a voice message, a video; a picture that waits" isWide>
        <Conversation
          messages={[
            echo("upload1", MessageType.IMAGE),
            echo("upload2", MessageType.FILE, {}, { name: "dashboard-notes_v3.zip" }),
            echo("upload3", MessageType.AUDIO, {}, { duration: 7, wave: WAVE }),
            echo("upload4", MessageType.VIDEO, {}, { duration: 75 }),
            echo("upload5", MessageType.IMAGE, { sending: "waiting" }),
          ]}
        />
      </Sample>
      <Sample name="not sent: after a time-out, and because the page was loaded again" isWide>
        <Conversation
          messages={[
            echo("upload6", MessageType.IMAGE, { sending: "failed", failure: timeout }),
            echo("upload7", MessageType.FILE, { sending: "failed", failure: timeout }, { name: "Plan.pdf" }),
            echo(
              "lost",
              MessageType.FILE,
              { sending: "failed", failure: { kind: "fileLost" } },
              { name: "Plan.pdf" },
            ),
            echo("lostPicture", MessageType.IMAGE, { sending: "failed", failure: { kind: "fileLost" } }),
          ]}
        />
      </Sample>
      <Sample name="files of every kind, and a long name" isWide>
        <Conversation
          messages={[
            "a.zip",
            "b.mp3",
            "c.ts",
            "d.pdf",
            "e.png",
            "f.xlsx",
            "g.mp4",
            "h",
            "a very long name of a file, which does not fit into its card v12.docx",
          ].map((name, index) => theirs(index + 1, file(name, 88_310 * 10 ** index)))}
        />
      </Sample>
      <Sample name="voice messages: not heard, playing, mine, without bars" isWide>
        <VoiceBar />
        <Conversation
          messages={[
            theirs(1, voice(7)),
            PLAYING,
            mine(4, voice(61)),
            mine(5, content(MessageType.AUDIO, { duration: 3, url: "/files/x/voice.webm" })),
          ]}
        />
      </Sample>
      <Sample
        name="quotes: of a picture, a file, a voice message; with a picture and a file as the answer"
        isWide
      >
        <Conversation
          messages={[
            mine(1, { content: "好看", quoteMessage: { ...quoted, ...picture("quoted") } }),
            mine(2, {
              content: "收到",
              quoteMessage: { ...quoted, ...file("青瓦_验收清单_v6.xlsx", 88_310) },
            }),
            theirs(3, { content: "OK", quoteMessage: { ...quoted, ...voice(12) } }),
            theirs(4, { ...picture("answer"), quoteMessage: { ...quoted, ...picture("quoted") } }),
            theirs(5, { ...file("Plan.pdf", 20_480), quoteMessage: { ...quoted, ...picture("quoted") } }),
            theirs(6, { ...voice(9), quoteMessage: { ...quoted, type: MessageType.TEXT, content: "在吗" } }),
          ]}
        />
      </Sample>
      <Sample name="contents that cannot be read" isWide>
        <Conversation
          messages={[MessageType.IMAGE, MessageType.FILE, MessageType.AUDIO, MessageType.VIDEO].map(
            (type, index) => theirs(index + 1, { type, content: "{" }),
          )}
        />
      </Sample>
      <Row>
        {[FRIEND_CHAT, GROUP_CHAT].map((chatKey) => (
          <Sample key={chatKey} name={chatKey === FRIEND_CHAT ? "media of a chat" : "none yet"} height={560}>
            <MediaPanel chatKey={chatKey} isDocked onBack={() => undefined} onClose={() => undefined} />
          </Sample>
        ))}
      </Row>
    </>
  );
}
