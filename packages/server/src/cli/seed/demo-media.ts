/** Pictures, a voice message and documents for the demo data, made by code. The video was drawn and recorded for it. */
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { writeWav } from "./wav.ts";

/** A landscape: hues of sky and hills, and where the sun stands (0 left to 1 right). */
interface Landscape {
  sky: number;
  hills: number;
  sun: number;
}

/** What the demo pictures show. */
export const LANDSCAPES: readonly Landscape[] = [
  { sky: 205, hills: 150, sun: 0.2 },
  { sky: 28, hills: 265, sun: 0.75 },
  { sky: 260, hills: 215, sun: 0.45 },
  { sky: 180, hills: 95, sun: 0.85 },
];

/** Draws a landscape as JPEG. */
export function drawLandscape(
  { sky, hills, sun }: Landscape,
  width: number,
  height: number,
): Promise<Buffer> {
  const ridge = (base: number, swing: number, waves: number) => {
    const points = Array.from({ length: 25 }, (_, n) => {
      const y = base + Math.sin((n / 24) * Math.PI * waves) * swing;
      return `${((n / 24) * width).toFixed(0)},${(y * height).toFixed(0)}`;
    });
    return `0,${height} ${points.join(" ")} ${width},${height}`;
  };
  const layers = [
    [ridge(0.6, 0.07, 3), 62],
    [ridge(0.7, 0.05, 5), 48],
    [ridge(0.82, 0.04, 4), 32],
  ] as const;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="hsl(${sky}, 65%, 58%)"/><stop offset="1" stop-color="hsl(${sky + 20}, 75%, 86%)"/>
    </linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${sun * width}" cy="${0.28 * height}" r="${0.07 * height}" fill="#fff6d6"/>
    ${layers.map(([points, light]) => `<polygon points="${points}" fill="hsl(${hills}, 28%, ${light}%)"/>`).join("")}
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
}

/** A sound with its length in seconds and its bars (`audioContent.wave`). */
export interface DemoVoice {
  data: Buffer;
  duration: number;
  wave: string;
}

const SAMPLE_RATE = 16_000;
const SYLLABLES_PER_SECOND = 3.6;
const WAVE_BARS = 40;
const BAR_MAX = 15;

/** Makes a voice message: a hummed melody in syllables, as WAV. */
export function hum(duration: number): DemoVoice {
  const samples = Float64Array.from({ length: duration * SAMPLE_RATE }, (_, n) => sampleAt(n / SAMPLE_RATE));
  const data = writeWav(samples, SAMPLE_RATE);
  return { data, duration, wave: barsOf(samples) };
}

/** A sample from -1 to 1 at a time in seconds. */
function sampleAt(time: number): number {
  const syllable = Math.floor(time * SYLLABLES_PER_SECOND);
  const within = (time * SYLLABLES_PER_SECOND) % 1;
  // A pause after every seventh syllable, as between words.
  const loudness =
    syllable % 7 === 6 ? 0 : Math.sin(within * Math.PI) ** 2 * (0.45 + 0.4 * Math.sin(syllable * 1.7) ** 2);
  const pitch = 150 + 35 * Math.sin(syllable * 2.3) + 4 * Math.sin(time * 31);
  const phase = 2 * Math.PI * pitch * time;
  return (loudness * (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.25 * Math.sin(3 * phase))) / 1.75;
}

function barsOf(samples: Float64Array): string {
  const perBar = samples.length / WAVE_BARS;
  const levels = Array.from({ length: WAVE_BARS }, (_, bar) => {
    const part = samples.subarray(Math.floor(bar * perBar), Math.floor((bar + 1) * perBar));
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  });
  const loudest = Math.max(...levels);
  return levels.map((level) => Math.round((level / loudest) * BAR_MAX).toString(16)).join("");
}

/** Makes a PDF of one page with these lines, in Latin letters. */
export function writePdf(lines: readonly string[]): Buffer {
  const text = lines
    .map((line, n) => `BT /F1 ${n === 0 ? 20 : 12} Tf 60 ${760 - n * 26} Td (${line}) Tj ET`)
    .join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let pdf = "%PDF-1.4\n";
  const offsets = objects.map((object, n) => {
    const offset = pdf.length;
    pdf += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, "0");
  });
  const start = pdf.length;
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${offset} 00000 n \n`).join("")}`;
  pdf += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(pdf, "latin1");
}

/** Seconds of the demo video. */
export const VIDEO_SECONDS = 6;

/** Reads the demo video (WebM) and its first frame: a paper boat, drawn on a canvas and recorded by a browser. */
export async function readVideo(): Promise<{ video: Buffer; cover: Buffer }> {
  const read = (name: string) => readFile(new URL(`media/${name}`, import.meta.url));
  return { video: await read("boat.webm"), cover: await read("boat.jpg") };
}
