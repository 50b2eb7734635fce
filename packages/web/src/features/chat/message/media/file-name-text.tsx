import { splitFileName } from "./file-name.ts";
import styles from "./media.module.css";

/** A file name in one line. If it is too long its middle is left out, and the extension stays. */
export function FileNameText({ name }: { name: string }) {
  const [head, tail] = splitFileName(name);
  return (
    <span className={styles.fileName} dir="ltr" title={name}>
      {head !== "" && <bdi className={styles.head}>{head}</bdi>}
      <bdi className={styles.tail}>{tail}</bdi>
    </span>
  );
}
