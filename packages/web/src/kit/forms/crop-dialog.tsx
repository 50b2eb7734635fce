import { useEffect, useId, useRef, useState } from "react";
import { RotateCw } from "lucide-react";
import Cropper from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Row } from "../../ui/layout.tsx";
import { useText } from "../i18n/i18n.ts";
import styles from "./crop-dialog.module.css";
import { outputName, outputType, planDrawing, type Area } from "./crop-math.ts";

const MAX_ZOOM = 5;
const ZOOM_STEP = 0.1;

export interface CropDialogProps {
  file: File;
  /** Url of the file. */
  url: string;
  /** Circle for people, rounded for groups. */
  shape: "circle" | "rounded";
  onCropped: (avatar: File) => void;
  /** The browser could not read or write the picture. */
  onFailure: () => void;
  onCancel: () => void;
}

/** Chooses the square part of a picture that becomes an avatar: move, zoom and turn by pointer, touch and keys. */
export function CropDialog({ file, url, shape, onCropped, onFailure, onCancel }: CropDialogProps) {
  const t = useText();
  const zoomId = useId();
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [rotation, setRotation] = useState(0);
  const [area, setArea] = useState<Area | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const use = async () => {
    if (area === null) return;
    setBusy(true);
    try {
      const avatar = await cropPicture(file, url, rotation, area);
      // The person may have cancelled while it was drawn.
      if (isOpen.current) onCropped(avatar);
    } catch (error) {
      reportError(error);
      if (isOpen.current) onFailure();
    }
  };

  return (
    <Dialog
      isOpen
      title={t("crop.title")}
      description={t("crop.hint")}
      onClose={onCancel}
      footer={
        <>
          <Button onClick={onCancel}>{t("app.cancel")}</Button>
          <Button variant="primary" isBusy={isBusy || area === null} onClick={() => void use()}>
            {t("crop.use")}
          </Button>
        </>
      }
    >
      <div className={styles.stage}>
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          rotation={rotation}
          aspect={1}
          maxZoom={MAX_ZOOM}
          cropShape={shape === "circle" ? "round" : "rect"}
          showGrid={false}
          zoomWithScroll
          disableAutomaticStylesInjection
          classes={{ cropAreaClassName: styles.area ?? "" }}
          cropperProps={{ role: "group", "aria-label": t("crop.area") }}
          mediaProps={{ alt: "" }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(_, pixels) => setArea(pixels)}
        />
      </div>
      <Row gap={12} marginTop={16}>
        <label htmlFor={zoomId}>{t("crop.zoom")}</label>
        <input
          id={zoomId}
          className={styles.zoom}
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={ZOOM_STEP}
          value={zoom}
          aria-valuetext={`${Math.round(zoom * 100)}%`}
          onChange={(event) => setZoom(Number(event.currentTarget.value))}
        />
        <IconButton
          label={t("crop.rotate")}
          tooltipSide="top"
          onClick={() => setRotation((degrees) => (degrees + 90) % 360)}
        >
          <RotateCw {...ICON_PROPS} />
        </IconButton>
      </Row>
    </Dialog>
  );
}

const QUALITY = 0.92;

/**
 * Draws the chosen part of a picture as a square avatar. The result is a still picture, upright as it was shown. `url` is that of the file.
 * Rejects if the browser cannot read or write the picture.
 */
async function cropPicture(file: File, url: string, degrees: number, area: Area): Promise<File> {
  // An element has the orientation that the camera noted already applied, as the dialog showed it.
  const picture = Object.assign(new Image(), { src: url });
  await picture.decode();
  const size = { width: picture.naturalWidth, height: picture.naturalHeight };
  const plan = planDrawing(size, degrees, area);
  const canvas = document.createElement("canvas");
  canvas.width = plan.side;
  canvas.height = plan.side;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser gives no canvas");
  context.imageSmoothingQuality = "high";
  context.translate(plan.middleX, plan.middleY);
  context.rotate(plan.radians);
  context.scale(plan.scale, plan.scale);
  context.drawImage(picture, -size.width / 2, -size.height / 2);
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, outputType(file.type), QUALITY),
  );
  if (blob === null) throw new Error("the browser could not encode the picture");
  // A browser that cannot write WebP writes PNG.
  return new File([blob], outputName(file.name, blob.type), { type: blob.type });
}
