import {
  HEIC_ADVICE,
  isHeic,
  PICTURE_PIXELS_MAX,
  PICTURE_SIDE_MAX,
  type PictureType,
} from '#contract/pictures';
import type { StrippedImage } from './bytes.ts';
import { stripJpegMetadata } from './jpeg.ts';
import { stripPngMetadata, isPng } from './png.ts';
import { stripWebpMetadata, isWebp } from './webp.ts';

export const NOT_A_PICTURE_TEXT = 'JPEG, PNG, WebP 이미지가 아닙니다';

export type Picture = StrippedImage & { type: PictureType };
/** Why a file is not a valid picture, in Korean; `isImage` if it starts like a picture. */
type NoPicture = { reason: string; isImage: boolean };

/** Identifies a picture by its content and removes everything but the image. */
export function parsePicture(bytes: Uint8Array): Picture | NoPicture {
  const type = typeOf(bytes);
  if (type === undefined) return { reason: reasonOf(bytes), isImage: false };
  const cleaned = clean[type](bytes);
  if (!cleaned || cleaned.width === 0 || cleaned.height === 0)
    return { reason: '손상되었거나 이미지가 아닌 내용이 섞인 파일입니다', isImage: true };
  const { width, height } = cleaned;
  if (width > PICTURE_SIDE_MAX || height > PICTURE_SIDE_MAX || width * height > PICTURE_PIXELS_MAX)
    return { reason: '이미지의 가로세로 크기가 너무 큽니다', isImage: true };
  return { ...cleaned, type };
}

const clean: Record<PictureType, (bytes: Uint8Array) => StrippedImage | undefined> = {
  'image/jpeg': stripJpegMetadata,
  'image/png': stripPngMetadata,
  'image/webp': stripWebpMetadata,
};

function typeOf(bytes: Uint8Array): PictureType | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (isPng(bytes)) return 'image/png';
  return isWebp(bytes) ? 'image/webp' : undefined;
}

function reasonOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '빈 파일입니다';
  return isHeic(bytes) ? HEIC_ADVICE : NOT_A_PICTURE_TEXT;
}
