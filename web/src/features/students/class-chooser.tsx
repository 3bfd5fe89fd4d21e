import { currentTerm, termSortKey } from '#contract/terms';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { SelectField } from '../../components/select-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import {
  classText,
  courseName,
  initialClass,
  parseChosenClass,
  rememberClass,
  rememberedClass,
  type ChosenClass,
} from '../../lib/chosen-class.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { useOpenedRow } from '../../lib/navigation.ts';
import { serverNow } from '../../lib/server-time.ts';
import { rosterCoursesQuery, studentsQuery } from '../../lib/roster.ts';

/** Chooses the class of the list, cards and pictures; the choice is the same on every tab. */
export function ClassChooser() {
  const { chosen, classes, hasFailed, retry, choose } = useChosenClass();
  const options = useMemo(() => {
    const running = termSortKey(currentTerm(serverNow()));
    const known = (classes ?? []).map((each) => ({
      value: classText(each),
      label: `${courseName(each)} (${each.students}명)${termSortKey(each) === running ? ' · 이번 학기' : ''}`,
      chosen: each,
    }));
    const everyone = { value: 'all', label: '모든 학생', chosen: 'all' } as const;
    if (!chosen || chosen === 'all' || known.some(({ value }) => value === classText(chosen)))
      return [everyone, ...known];
    const label = `${courseName(chosen)}${classes ? ' (명단 없음)' : ''}`;
    return [everyone, ...known, { value: classText(chosen), label, chosen }];
  }, [classes, chosen]);
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full print:hidden">
      <SelectField
        className="w-full sm:w-96"
        label="강의"
        isLabelHidden
        size="sm"
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
        <p className="flex items-center gap-3 text-sm">
          강의 목록을 불러오지 못했습니다.
          <Button variant="outline" size="sm" onClick={retry}>
            다시 시도
          </Button>
        </p>
      )}
    </div>
  );
}

/** The class of all tabs: the class in the address, or an initial class. */
export function useChosenClass() {
  const { id: userId } = useLoginState();
  const { class: inAddress } = useSearch({ from: '/_signed-in' });
  const { row } = useOpenedRow();
  const navigate = useNavigate();
  const { data: classes, errorUpdateCount, refetch } = useQuery(rosterCoursesQuery);
  // If `hasFailed` became false during a retry, the failure message would mount again and retry forever.
  const hasFailed = classes === undefined && errorUpdateCount > 0;
  const chosen = useMemo((): ChosenClass | undefined => {
    const asked = parseChosenClass(inAddress);
    if (asked) return asked;
    // A searched student may be in any class or in no class.
    if (hasFailed || row !== undefined) return 'all';
    return classes && initialClass(classes, rememberedClass(userId), serverNow());
  }, [inAddress, classes, hasFailed, row, userId]);
  return {
    /** Undefined until the classes are loaded. */
    chosen,
    classes,
    hasFailed,
    retry: () => void refetch(),
    choose: (next: ChosenClass) => {
      rememberClass(userId, next, serverNow());
      void navigate({
        to: '.',
        search: (before) => ({ ...before, class: classText(next) }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}

/** The students of the chosen class, or all students. */
export function useChosenStudents() {
  const { chosen, choose } = useChosenClass();
  const asked = studentsQuery(chosen ?? 'all');
  const { data: students, isError, refetch } = useQuery(chosen ? asked : { ...asked, queryFn: skipToken });
  return {
    chosen,
    choose,
    /** Undefined until the students are loaded. */
    students,
    hasFailed: isError,
    retry: () => void refetch(),
  };
}
