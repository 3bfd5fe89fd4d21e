import type { Content } from '#contract/content';
import { emptyItem, type GroupFieldModel } from '#contract/content-model';
import { isPlaceholder, parsePhotographName, PHOTOGRAPH_WIDTHS } from '#contract/public-content';
import { useId, useState } from 'react';
import ReactCrop, {
  centerCrop,
  convertToPixelCrop,
  makeAspectCrop,
  type PercentCrop,
} from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { Button } from '../../../components/ui/button.tsx';
import { Photograph } from '../../../components/photograph.tsx';
import { isRecord } from '../../../lib/is-record.ts';
import { uploadPhotograph, useAttempt } from '../queries.ts';
import { asText, valueAt, type ValuePath } from '../value-at-path.ts';
import { BilingualField, type FieldEditingProps } from './bilingual-field.tsx';

type Props = FieldEditingProps & { group: GroupFieldModel; path: ValuePath };

/** A photograph with a description in both languages. The browser uploads only scaled copies. */
export function PhotographField({ group, path, ...editing }: Props) {
  const { content, problems, onChange } = editing;
  const id = useId();
  const [bitmap, setBitmap] = useState<ImageBitmap>();
  const { isBusy, failure, setFailure, attempt } = useAttempt();
  const value = valueAt(content, path);
  const file = valueAt(value, ['file']);
  const error = failure ?? problems.find((problem) => problem.path === [...path, 'file'].join('.'))?.message;
  const isFace = path[0] === 'people';
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    const read = await createImageBitmap(chosen, { imageOrientation: 'from-image' }).catch(() => undefined);
    setBitmap(read);
    // Uploads the initial crop, so that the photograph is stored even if the user never changes the crop.
    if (read) await send(read, initialCrop(read, isFace));
    else setFailure('사진으로 읽을 수 없는 파일입니다. JPEG, PNG, WebP 파일을 선택하세요');
  };
  const close = () => {
    bitmap?.close();
    setBitmap(undefined);
  };
  const send = (whole: ImageBitmap, part: PercentCrop) =>
    attempt(async () => {
      const stored = await uploadPhotograph(await inWidths(whole, part));
      // The example picture's description and caption would be wrong for the new picture.
      if (parsePhotographName(String(file)) === undefined) {
        const words = { ...emptyItem(group), ...(isFace && altOf(content, path)) };
        onChange(path, { ...(isRecord(value) && value), ...words, file: stored });
      } else onChange([...path, 'file'], stored);
    });
  return (
    <fieldset className="min-w-0 space-y-3 rounded-lg border border-line p-4">
      <legend className="px-1 font-semibold">{group.label}</legend>
      <div className="flex flex-wrap items-center gap-4">
        {typeof file === 'string' && file !== '' && (
          <Photograph file={file} alt="" sizes="6rem" className="size-24 rounded-lg object-cover" />
        )}
        <input
          id={id}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          className="sr-only"
          onChange={({ target }) => {
            void choose(target.files?.[0]);
            target.value = '';
          }}
        />
        <Button asChild variant="outline" size="sm">
          <label htmlFor={id} className="cursor-pointer focus-within:outline-2">
            {file ? '다른 사진' : '사진 선택'}
          </label>
        </Button>
        {value !== null && group.isNullable && (
          <Button variant="destructive-ghost" size="sm" onClick={() => onChange(path, null)}>
            사진 삭제
          </Button>
        )}
      </div>
      {bitmap && (
        <PhotographCrop
          bitmap={bitmap}
          isRound={isFace}
          isBusy={isBusy}
          onDone={(part) => void send(bitmap, part).then(close)}
          onCancel={close}
        />
      )}
      {typeof file === 'string' && isPlaceholder(file) && (
        <p className="text-sm text-notice">예시 그림입니다. 연구실의 사진으로 바꾸세요.</p>
      )}
      {error !== undefined && <p className="text-sm text-danger">{error}</p>}
      {value !== null && (
        <BilingualField label="사진을 볼 수 없는 사람을 위한 설명" path={[...path, 'alt']} {...editing} />
      )}
    </fieldset>
  );
}

/** The initial description of a person's photograph: the person's name. */
function altOf(content: Content, path: ValuePath) {
  const nameIn = (language: string) => asText(valueAt(content, [...path.slice(0, -1), 'name', language]));
  const [ko, en] = [nameIn('ko'), nameIn('en')];
  return { alt: { ko: ko && `${ko}의 사진`, en: en && `Photograph of ${en}` } };
}

/** Scales the crop to each width that the site serves. The files have no metadata such as place or camera. */
async function inWidths(bitmap: ImageBitmap, part: PercentCrop): Promise<File[]> {
  const cut = convertToPixelCrop(part, bitmap.width, bitmap.height);
  const most = Math.min(Math.max(1, Math.round(cut.width)), PHOTOGRAPH_WIDTHS.at(-1) ?? cut.width);
  const widths = [...PHOTOGRAPH_WIDTHS.filter((width) => width < most), most];
  const files = await Promise.all(
    widths.map(async (width) => {
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = Math.max(1, Math.round((cut.height * width) / cut.width));
      canvas
        .getContext('2d')
        ?.drawImage(bitmap, cut.x, cut.y, cut.width, cut.height, 0, 0, canvas.width, canvas.height);
      // A browser that cannot encode WebP returns PNG.
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.82));
      return blob && new File([blob], `${width}`, { type: blob.type });
    }),
  );
  return files.filter((each) => each !== null);
}

type CropProps = {
  bitmap: ImageBitmap;
  /** Whether the photograph is a face, which is shown in a circle. */
  isRound: boolean;
  isBusy: boolean;
  /** @param part the crop, in percent of the bitmap's width and height */
  onDone: (part: PercentCrop) => void;
  onCancel: () => void;
};

const WHOLE: PercentCrop = { unit: '%', x: 0, y: 0, width: 100, height: 100 };
/** Longest side of the picture on screen, in pixels. The upload is cut from the bitmap's full resolution. */
const SHOWN = 360;

const HANDLES = {
  cropArea: '보일 부분: 화살표 키로 옮깁니다',
  nwDragHandle: '왼쪽 위 모서리',
  nDragHandle: '위쪽',
  neDragHandle: '오른쪽 위 모서리',
  eDragHandle: '오른쪽',
  seDragHandle: '오른쪽 아래 모서리',
  sDragHandle: '아래쪽',
  swDragHandle: '왼쪽 아래 모서리',
  wDragHandle: '왼쪽',
};

/** The initial visible part of a photograph. */
const initialCrop = ({ width, height }: ImageBitmap, isRound: boolean): PercentCrop =>
  isRound ? centerCrop(makeAspectCrop({ unit: '%', width: 100 }, 1, width, height), width, height) : WHOLE;

/** Selects the visible part of a photograph, by dragging or with the arrow keys. */
function PhotographCrop({ bitmap, isRound, isBusy, onDone, onCancel }: CropProps) {
  const { width, height } = bitmap;
  const [part, setPart] = useState(() => initialCrop(bitmap, isRound));
  const scale = Math.min(1, SHOWN / Math.max(width, height));
  return (
    <div className="w-full space-y-3">
      <p className="text-sm text-ink-soft">사진을 넣었습니다. 보일 부분을 바꾸려면 끌어서 선택하세요.</p>
      <ReactCrop
        crop={part}
        {...(isRound && { aspect: 1, circularCrop: true })}
        ariaLabels={HANDLES}
        keepSelection
        minWidth={32}
        minHeight={32}
        onChange={(_, percent) => setPart(percent)}
      >
        <canvas
          aria-label="고른 사진"
          width={Math.round(width * scale)}
          height={Math.round(height * scale)}
          className="block max-w-full"
          ref={(canvas) => {
            canvas?.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
          }}
        />
      </ReactCrop>
      <div className="flex gap-2">
        <Button size="sm" aria-disabled={isBusy} onClick={() => !isBusy && onDone(part)}>
          {isBusy ? '올리는 중…' : '이 부분 쓰기'}
        </Button>
        <Button variant="outline" size="sm" onClick={onCancel}>
          닫기
        </Button>
      </div>
    </div>
  );
}
