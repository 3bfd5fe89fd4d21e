import { Button } from './ui/button.tsx';
import { SelectField } from './select-field.tsx';

export type PageSize = 10 | 20 | 50 | 100 | 'all';

const sizes: readonly { value: PageSize; label: string }[] = [
  { value: 10, label: '10개씩' },
  { value: 20, label: '20개씩' },
  { value: 50, label: '50개씩' },
  { value: 100, label: '100개씩' },
  { value: 'all', label: '전체' },
];

type Props = {
  count: number;
  size: PageSize;
  onSizeChange: (size: PageSize) => void;
  /** From 0. */
  page: number;
  onPageChange: (page: number) => void;
};

/** The buttons use aria-disabled, because a disabled button on the last page would lose the focus. */
export function TablePager({ count, size, onSizeChange, page, onPageChange }: Props) {
  const pages = size === 'all' ? 1 : Math.max(1, Math.ceil(count / size));
  const first = size === 'all' ? 0 : page * size;
  const last = size === 'all' ? count : Math.min(count, first + size);
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3 text-sm tabular-nums print:hidden">
      <SelectField<PageSize>
        className="w-28"
        isLabelHidden
        label="한 쪽에 표시할 행 수"
        size="sm"
        options={sizes}
        value={size}
        onChange={onSizeChange}
      />
      <div className="flex items-center gap-2">
        <span aria-live="polite" className="text-ink-soft">
          {count === 0 ? '0' : `${first + 1}–${last}`} / {count}
        </span>
        <Button
          variant="outline"
          size="sm"
          aria-label="이전 쪽"
          aria-disabled={page === 0}
          onClick={() => onPageChange(Math.max(0, page - 1))}
        >
          이전
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label="다음 쪽"
          aria-disabled={page >= pages - 1}
          onClick={() => onPageChange(Math.min(pages - 1, page + 1))}
        >
          다음
        </Button>
      </div>
    </div>
  );
}
