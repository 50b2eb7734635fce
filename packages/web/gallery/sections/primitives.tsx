import { Avatar } from "../../src/ui/avatar.tsx";
import { Button } from "../../src/ui/button.tsx";
import { Box, Card, Overlay, Row, Stack, Text } from "../../src/ui/layout.tsx";
import { Sample, Samples as Side } from "../sample.tsx";

const TONES = ["primary", "secondary", "tertiary", "accent", "danger", "success"] as const;
const SIZES = [11, 12, 13, 14, 16, 20] as const;
const VARIANTS = ["plain", "raised", "soft", "danger"] as const;
const ALIGNMENTS = ["start", "center", "end", "baseline", "stretch"] as const;

/** What other parts are laid out with: rows, stacks, texts, cards and overlays. */
export function Samples() {
  return (
    <Side>
      <Sample name="text: tones">
        <Stack gap={4}>
          {TONES.map((tone) => (
            <Text key={tone} tone={tone}>
              {tone} 文字
            </Text>
          ))}
        </Stack>
      </Sample>
      <Sample name="text: sizes and weights">
        <Stack gap={4}>
          {SIZES.map((size) => (
            <Text key={size} size={size} weight={size >= 16 ? "title" : "body"}>
              {size} 文字
            </Text>
          ))}
        </Stack>
      </Sample>
      {ALIGNMENTS.map((align) => (
        <Sample key={align} name={`row, ${align}`}>
          <Row gap={8} align={align}>
            <Avatar name="Bo" url={null} id={1} size={40} />
            <Text size={20}>Bo</Text>
            <Text tone="tertiary">在线 Online</Text>
          </Row>
        </Sample>
      ))}
      <Sample name="row with a text that is cut off" isWide>
        <Row gap={12}>
          <Avatar name="Bo" url={null} id={1} size={40} />
          <Stack grow>
            <Text truncate>{"很长的名字 A long name ".repeat(20)}</Text>
            <Text truncate size={12} line={16} tone="tertiary">
              在线 Online
            </Text>
          </Stack>
          <Box shrink={false}>
            <Button>发送 Send</Button>
          </Box>
        </Row>
      </Sample>
      {VARIANTS.map((variant) => (
        <Sample key={variant} name={`card, ${variant}`}>
          <Card variant={variant} padding={16} direction="stack" gap={4}>
            <Text weight="title">标题 Title</Text>
            <Text size={13} tone="secondary">
              文字 Text
            </Text>
          </Card>
        </Sample>
      ))}
      <Sample name="overlay" height={64}>
        <Button>发送 Send</Button>
        <Overlay align="center" justify="center">
          <Card variant="raised" paddingX={8}>
            <Text size={12}>之上 Above</Text>
          </Card>
        </Overlay>
      </Sample>
    </Side>
  );
}
