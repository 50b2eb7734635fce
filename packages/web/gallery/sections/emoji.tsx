import { EmojiPicker } from "../../src/kit/emoji/emoji-picker.tsx";
import { Card } from "../../src/ui/layout.tsx";
import { Opener, Samples as Row } from "../sample.tsx";

const ignore = () => undefined;

/** The picker of emoji, with and without the product's emoticons. */
export function Samples() {
  return (
    <Row>
      <Opener name="emoji">
        {(close) => (
          <Card role="dialog" aria-label="Emoji" variant="raised">
            <EmojiPicker onPick={ignore} onClose={close} />
          </Card>
        )}
      </Opener>
      <Opener name="emoticons and emoji">
        {(close) => (
          <Card role="dialog" aria-label="Emoticons and emoji" variant="raised">
            <EmojiPicker hasEmoticons onPick={ignore} onClose={close} />
          </Card>
        )}
      </Opener>
    </Row>
  );
}
