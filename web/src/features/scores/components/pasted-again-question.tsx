import { memo } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { carriedOf, carriedWords, withCarried } from '../pasted-again.ts';
import type { Change } from '../use-class-work.ts';
import type { Work } from '../class-work.ts';

type Props = { work: Work; change: Change };

/** Asks whether decisions about the previous table apply to this one. Until answered, they do not. */
export const CarryQuestion = memo(
  function CarryQuestion({ work, change }: Props) {
    const carried = carriedOf(work);
    if (!carried) return null;
    const answer = (isWanted: boolean) => {
      change(isWanted ? '이전 설정 적용' : '이전 설정 버리기', (now) => withCarried(now, isWanted));
      document.getElementById('main')?.focus({ preventScroll: true });
    };
    return (
      <section
        aria-label="이전 표의 설정"
        aria-live="polite"
        className="rounded-md bg-notice-wash px-4 py-3 text-notice"
      >
        <p className="font-semibold">
          이전 표에서 정한 설정을 이 표에도 적용할까요? 아직 적용하지 않았습니다.
        </p>
        <p>
          {carriedWords(carried, work.text).join(', ')}
          {carried.lost > 0 && ` · 이 표에서 찾을 수 없는 ${carried.lost}명의 설정은 적용하지 않습니다.`}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button variant="outline" size="sm" onClick={() => answer(true)}>
            적용
          </Button>
          <Button variant="outline" size="sm" onClick={() => answer(false)}>
            버리기
          </Button>
        </div>
      </section>
    );
  },
  // Changes made now do not affect the previous decisions.
  (one, other) =>
    one.change === other.change &&
    one.work.before === other.work.before &&
    one.work.text === other.work.text &&
    one.work.mapping === other.work.mapping,
);
