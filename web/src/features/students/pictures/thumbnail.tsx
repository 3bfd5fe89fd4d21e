import { useEffect, useRef, useState } from 'react';

/** Twice what is shown, for sharp screens. */
const HEIGHT = 160;

/** One at a time, because decoding ten photographs at once would exhaust a phone's memory. */
let lastDrawn: Promise<unknown> = Promise.resolve();

/** A picture that is still a file of this device. Drawn, because the page's policy lets no image be read from one. */
export function Thumbnail({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [unreadable, setUnreadable] = useState<File>();
  useEffect(() => {
    let isGone = false;
    const draw = async () => {
      if (isGone) return;
      const bitmap = await createImageBitmap(file, { resizeHeight: HEIGHT, imageOrientation: 'from-image' });
      const element = canvas.current;
      if (!isGone && element) {
        element.width = bitmap.width;
        element.height = bitmap.height;
        element.getContext('2d')?.drawImage(bitmap, 0, 0);
      }
      bitmap.close();
    };
    lastDrawn = lastDrawn.then(draw).catch(() => {
      if (!isGone) setUnreadable(file);
    });
    return () => {
      isGone = true;
    };
  }, [file]);
  // Lower in a long table, whose rows have one height.
  const box = 'h-20 w-16 rounded-sm border border-line bg-sunken in-[.table-fixed]:h-8 in-[.table-fixed]:w-7';
  if (unreadable === file) {
    return (
      <span className={`${box} flex items-center justify-center text-center text-xs text-ink-soft`}>
        미리보기 없음
      </span>
    );
  }
  return <canvas ref={canvas} aria-label={`${file.name} 미리보기`} className={`${box} block object-cover`} />;
}
