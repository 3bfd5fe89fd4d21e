import { runningTerm, termOrder } from '#contract/terms';
import { useMemo } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { classText } from '../../lib/chosen-class.ts';
import { serverNow } from '../../lib/server-time.ts';
import { courseName } from './term.ts';
import { useChosenClass } from './use-chosen-class.ts';

/** Chooses the class that all tabs are about. */
export function ClassChooser() {
  const { chosen, classes, hasFailed, retry, choose } = useChosenClass();
  const options = useMemo(() => {
    const running = termOrder(runningTerm(serverNow()));
    const known = (classes ?? []).map((each) => ({
      value: classText(each),
      label: `${courseName(each)} (${each.students}명)${termOrder(each) === running ? ' · 이번 학기' : ''}`,
      chosen: each,
    }));
    const everyone = { value: 'all', label: '모든 학생', chosen: 'all' } as const;
    if (!chosen || chosen === 'all' || known.some(({ value }) => value === classText(chosen)))
      return [everyone, ...known];
    const label = `${courseName(chosen)}${classes ? ' (명단 없음)' : ''}`;
    return [everyone, ...known, { value: classText(chosen), label, chosen }];
  }, [classes, chosen]);
  return (
    <div className="mb-6 flex flex-wrap items-end gap-3 print:hidden">
      <SelectField
        className="w-full sm:w-96"
        label="강의"
        options={options}
        value={chosen ? classText(chosen) : ''}
        placeholder="불러오는 중"
        disabled={!chosen}
        onChange={(value) => {
          const option = options.find((each) => each.value === value);
          if (option) choose(option.chosen);
        }}
      />
      {hasFailed && (
        <p className="flex items-center gap-3 pb-1 text-sm">
          강의 목록을 불러오지 못했습니다.
          <Button variant="outline" size="sm" onClick={retry}>
            다시 시도
          </Button>
        </p>
      )}
    </div>
  );
}
