import type { CourseKey, RosterPreview, RosterRow } from '#contract/students';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { previewRoster } from '../queries.ts';
import { previewImport, type Preview } from './import-preview.ts';

type Comparison = { rows: readonly RosterRow[]; preview: Preview; answer: RosterPreview };

/** Has the server compare the rows with what is stored, and again after each correction. */
export function useComparison(course: CourseKey, rows: readonly RosterRow[] | undefined) {
  const [comparison, setComparison] = useState<Comparison>();
  const { mutate, isPending, isError } = useMutation({
    mutationFn: async (data: readonly RosterRow[]) => {
      const answer = await previewRoster({ ...course, data: [...data] });
      return { rows: data, preview: previewImport(data, answer), answer };
    },
  });
  const compare = useCallback(
    // Only the last call's answer counts.
    (data: readonly RosterRow[]) => mutate(data, { onSuccess: setComparison }),
    [mutate],
  );
  useEffect(() => {
    if (rows && rows.length > 0) compare(rows);
  }, [rows, compare]);
  return {
    comparison,
    isComparing:
      isPending || (rows !== undefined && rows.length > 0 && comparison?.rows !== rows && !isError),
    hasFailed: isError,
    compareAgain: () => rows && compare(rows),
  };
}
