import { answerQuestions } from '../../../lib/ask-worker.ts';

const LONGEST_SIDE = 1200;
const LARGEST_BYTES = 300 * 1024;
const QUALITIES = [0.85, 0.7, 0.55, 0.4];

/**
 * Converts a photograph to a JPEG of at most 1200 px and, if possible, at most 300 KB.
 * @returns undefined if the browser cannot decode the photograph
 */
async function scaledPicture(file: File): Promise<File | undefined> {
  const bitmap = await readBitmap(file);
  if (!bitmap) return undefined;
  try {
    let scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
    let smallest = await encode(bitmap, scale, QUALITIES[0]);
    for (const quality of [...QUALITIES.slice(1), ...QUALITIES]) {
      if (smallest.size <= LARGEST_BYTES) break;
      if (quality === QUALITIES[0]) scale /= 2;
      smallest = await encode(bitmap, scale, quality);
    }
    return new File([smallest], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
  } finally {
    bitmap.close();
  }
}

/** Decodes a picture off the main thread and rotates it by its EXIF data. */
async function readBitmap(file: File): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

async function encode(bitmap: ImageBitmap, scale: number, quality: number | undefined): Promise<Blob> {
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (!context) throw new Error('canvas is not available');
  // JPEG has no transparency: without this fill, transparent areas would be black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return await canvas.convertToBlob({ type: 'image/jpeg', ...(quality !== undefined && { quality }) });
}

answerQuestions(({ data }: MessageEvent<File>) => scaledPicture(data));
