import { skipToken, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  classText,
  firstClass,
  readClass,
  rememberClass,
  rememberedClass,
  type ChosenClass,
} from '../../lib/chosen-class.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { useOpenedRow } from '../../lib/navigation.ts';
import { serverNow } from '../../lib/server-time.ts';
import { coursesQuery, studentsQuery } from './queries.ts';

/** The class that every tab of the screen is about: the address's, or the one to begin with. */
export function useChosenClass() {
  const { id: userId } = useLoginState();
  const { class: inAddress } = useSearch({ from: '/_signed-in' });
  const { row } = useOpenedRow();
  const navigate = useNavigate();
  const { data: classes, errorUpdateCount, refetch } = useQuery(coursesQuery);
  // Also while it is asked for again: whatever is shown for a failure asks again when it appears, and must not go with that.
  const hasFailed = classes === undefined && errorUpdateCount > 0;
  const chosen = useMemo((): ChosenClass | undefined => {
    const asked = readClass(inAddress);
    if (asked) return asked;
    // Whoever was looked for may be in any class, or in none.
    if (hasFailed || row !== undefined) return 'all';
    return classes && firstClass(classes, rememberedClass(userId), serverNow());
  }, [inAddress, classes, hasFailed, row, userId]);
  return {
    /** Undefined until it is known which classes there are. */
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

/** The students of the chosen class, or all. */
export function useChosenStudents() {
  const { chosen, choose } = useChosenClass();
  const asked = studentsQuery(chosen ?? 'all');
  const { data: students, isError, refetch } = useQuery(chosen ? asked : { ...asked, queryFn: skipToken });
  return {
    chosen,
    choose,
    /** Undefined while not loaded. */
    students,
    hasFailed: isError,
    retry: () => void refetch(),
  };
}
