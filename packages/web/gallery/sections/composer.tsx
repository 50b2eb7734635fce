import { useState } from "react";
import type { ReactNode } from "react";
import { MessageType } from "@parley/protocol/codes";
import type { DraftFile } from "@parley/core/model/state";
import { FRIEND_CHAT } from "@parley/core/testing/builders";
import { Composer } from "../../src/features/chat/composer/composer.tsx";
import { AttachmentStrip } from "../../src/features/chat/composer/attachments/attachment-strip.tsx";
import { DropOverlay } from "../../src/features/chat/composer/attachments/drop-overlay.tsx";
import { RunningRecorder, VoicePreview } from "../../src/features/chat/composer/voice/voice-rows.tsx";
import {
  ConversationUiProvider,
  createConversationUi,
} from "../../src/features/chat/message/conversation-ui.ts";
import { Sample, Samples as Row } from "../sample.tsx";
import styles from "../gallery.module.css";

const FILE: DraftFile = {
  id: "picture",
  type: MessageType.IMAGE,
  name: "山顶.png",
  size: 1_342_177,
  mimeType: "image/png",
  width: 1_200,
  height: 800,
  duration: null,
};
const PDF: DraftFile = {
  ...FILE,
  id: "pdf",
  type: MessageType.FILE,
  name: "评审纪要 minutes of the review, the long version.pdf",
  mimeType: "application/pdf",
};
const FILES: readonly DraftFile[] = [
  FILE,
  { ...FILE, id: "video", type: MessageType.VIDEO, name: "tea.webm", mimeType: "video/webm", duration: 3 },
  { ...FILE, id: "lost", name: "lost.png" },
  PDF,
  { ...PDF, id: "no extension", name: "LICENSE" },
];
const MANY = Array.from({ length: 20 }, (_, index) => ({ ...FILE, id: `picture ${index}` }));

const nothing = () => undefined;
const LEVELS = Array.from({ length: 90 }, (_, index) => Math.abs(Math.sin(index / 7) * Math.cos(index / 3)));
const RECORDING = { levels: LEVELS, seconds: 8 };
const VOICE = {
  file: new Blob(["no sound"]),
  format: { recorderType: "audio/webm;codecs=opus", mimeType: "audio/webm", extension: "webm" },
  duration: 12,
  wave: "0123456789abcdeffedcba98765432100248",
};
const recorder = { slide: 0, onStop: nothing, onSend: nothing, onCancel: nothing };

function Box({ children }: { children: ReactNode }) {
  return <div className={styles.composerBox}>{children}</div>;
}

function Strip({ files, beingRead = 0 }: { files: readonly DraftFile[]; beingRead?: number }) {
  return (
    <Box>
      <AttachmentStrip chatKey={FRIEND_CHAT} files={files} beingRead={beingRead} onReturnFocus={nothing} />
    </Box>
  );
}

/** The field for messages, what waits above it, and the recorder. */
export function Samples() {
  const [ui] = useState(() => createConversationUi(FRIEND_CHAT));
  return (
    <Row>
      <Sample name="composer, empty" isWide>
        <ConversationUiProvider value={ui}>
          <Composer chatKey={FRIEND_CHAT} onSent={nothing} onShowNewest={nothing} />
        </ConversationUiProvider>
      </Sample>
      <Sample name="files to send: picture, video, lost, files" isWide>
        <Strip files={FILES} />
      </Sample>
      <Sample name="files to send: still being read" isWide>
        <Strip files={[FILE]} beingRead={2} />
      </Sample>
      <Sample name="files to send: as many as possible" isWide>
        <Strip files={MANY} />
      </Sample>
      <Sample name="recorder, waiting for the microphone" isWide>
        <Box>
          <RunningRecorder {...recorder} shown={null} isHeld={false} />
        </Box>
      </Sample>
      <Sample name="recorder, begun by a click" isWide>
        <Box>
          <RunningRecorder {...recorder} shown={RECORDING} isHeld={false} />
        </Box>
      </Sample>
      <Sample name="recorder, held" isWide>
        <Box>
          <RunningRecorder {...recorder} shown={RECORDING} isHeld />
        </Box>
      </Sample>
      <Sample name="recorder, finished" isWide>
        <Box>
          <VoicePreview voice={VOICE} onSend={nothing} onDiscard={nothing} />
        </Box>
      </Sample>
      <Sample name="files are dragged" isWide height={220}>
        <div className={styles.dropArea}>
          <DropOverlay over="file" />
        </div>
      </Sample>
    </Row>
  );
}
