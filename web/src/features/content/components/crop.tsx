import { useState } from 'react';
import ReactCrop, { centerCrop, makeAspectCrop, type PercentCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { Button } from '../../../components/ui/button.tsx';

type Props = {
  bitmap: ImageBitmap;
  /** Whether the photograph is a face, which is shown in a circle. */
  isRound: boolean;
  isBusy: boolean;
  /** @param part in percent of the bitmap */
  onDone: (part: PercentCrop) => void;
  onCancel: () => void;
};

const WHOLE: PercentCrop = { unit: '%', x: 0, y: 0, width: 100, height: 100 };
/** Size on the screen in pixels; the uploaded picture is cut from the bitmap itself. */
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

/** The visible part of a photograph before the user has chosen one. */
export const initialCrop = ({ width, height }: ImageBitmap, isRound: boolean): PercentCrop =>
  isRound ? centerCrop(makeAspectCrop({ unit: '%', width: 100 }, 1, width, height), width, height) : WHOLE;

/** Selects the visible part of a photograph, by dragging or with the arrow keys. */
export function PhotographCrop({ bitmap, isRound, isBusy, onDone, onCancel }: Props) {
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
