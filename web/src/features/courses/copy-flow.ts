import type { CourseForm } from '#contract/courses';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { showToast } from '../../lib/toast.ts';
import { coursesKey, saveCourse } from './queries.ts';

/**
 * Adds one course at a time, so that the progress is accurate. After a failure or a stop the list is read again, which
 * marks what was added, so that a second run continues with the rest.
 */
export function useCopying(onCopied: () => void) {
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const isStopped = useRef(false);
  // Leaving the screen stops it, because nobody would see the rest.
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const { mutate, isPending } = useMutation({
    mutationFn: async (forms: CourseForm[]) => {
      for (const [index, form] of forms.entries()) {
        if (isStopped.current) return false;
        await saveCourse(form);
        setProgress({ done: index + 1, total: forms.length });
      }
      return true;
    },
    onSuccess: (isComplete) => {
      if (!isComplete) return;
      showToast('추가 완료');
      onCopied();
    },
    onSettled: (_all, _error, _forms, _result, { client }) =>
      client.invalidateQueries({ queryKey: coursesKey }),
  });
  return {
    ...progress,
    isPending,
    start: (forms: CourseForm[]) => {
      isStopped.current = false;
      setProgress({ done: 0, total: forms.length });
      mutate(forms);
    },
    stop: () => {
      isStopped.current = true;
    },
  };
}
