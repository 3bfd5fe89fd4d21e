import { memo, useId } from 'react';
import { Input } from '../../../components/ui/input.tsx';
import { Label } from '../../../components/ui/label.tsx';
import type { Heading } from '../class-work.ts';
import type { Change } from '../use-class-work.ts';
import { Part } from './rules-part.tsx';

const MAX_LENGTH = 60;
const fields = { course: '강의', term: '학기', lecturer: '담당' } as const;

type Props = {
  heading: Heading;
  /** Printed where a field is empty. */
  usual: Heading;
  change: Change;
};

/** What stands above and below the printed sheet. */
export const HeadingPart = memo(function HeadingPart({ heading, usual, change }: Props) {
  const id = useId();
  return (
    <Part title="인쇄할 내용" note="비워 두면 흐리게 보이는 내용을 인쇄합니다.">
      <div className="space-y-2">
        {(['course', 'term', 'lecturer'] as const).map((field) => (
          <div key={field} className="grid grid-cols-[3rem_minmax(0,1fr)] items-center gap-2">
            <Label htmlFor={`${id}-${field}`}>{fields[field]}</Label>
            <Input
              id={`${id}-${field}`}
              className="min-h-9 text-sm"
              maxLength={MAX_LENGTH}
              autoComplete="off"
              placeholder={usual[field]}
              value={heading[field]}
              onChange={({ target: { value } }) =>
                change(
                  '인쇄할 내용 바꾸기',
                  (work) => ({ ...work, heading: { ...work.heading, [field]: value } }),
                  `heading ${field}`,
                )
              }
            />
          </div>
        ))}
      </div>
    </Part>
  );
});
