import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DraftNote } from '../../../components/draft-note.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { topicParticle } from '../../../lib/hangul.ts';
import { addEntryMutation } from '../queries.ts';
import type { KnownCategories } from './category-field.tsx';
import { draftProblems, emptyDraft, entryOf, nextDraft, type EntryDraft } from './entry-draft.ts';
import { EntryFields } from './entry-fields.tsx';
import { Question } from './question.tsx';

export function EntryForm({ today, known }: { today: string; known: KnownCategories }) {
  const [adding] = useState(addEntryMutation);
  const { mutateAsync, isPending } = useMutation(adding);
  /** The draft with a future date that the user has to confirm; a changed draft is asked about again. */
  const [asked, setAsked] = useState<EntryDraft>();
  const { draft, change, restart, focus, form, field, restored } = useDraft({
    place: 'account/new',
    start: () => emptyDraft(today),
    problemsOf: (each) => draftProblems(each, today),
    send: (each) => {
      if (each.date <= today || each === asked) return mutateAsync(entryOf(each));
      setAsked(each);
      return undefined;
    },
    onSaved: (each) => {
      restart(nextDraft(each, today));
      focus('amount');
    },
    isPending,
  });
  const day = draft.date.replaceAll('-', '.');
  return (
    <form {...form} aria-label="내역 추가" className="space-y-4">
      <DraftNote {...restored} />
      <EntryFields draft={draft} change={change} field={field} today={today} known={known} />
      {asked === draft ? (
        <Question
          yes="예정 내역으로 추가"
          no="날짜 수정"
          isPending={isPending}
          onNo={() => {
            setAsked(undefined);
            focus('date');
          }}
        >
          {day}
          {topicParticle(day)} 아직 오지 않은 날짜입니다. 예정 내역으로 추가할까요?
        </Question>
      ) : (
        <Button type="submit" aria-disabled={isPending}>
          추가
        </Button>
      )}
    </form>
  );
}
