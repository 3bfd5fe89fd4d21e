import { rosterTerm } from '#contract/terms';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { serverNow } from '../../../lib/server-time.ts';
import { DraftNote } from '../../../components/draft-note.tsx';
import { TermOffer } from '../../../components/term-offer.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useKept } from '../../../components/use-kept.ts';
import { useHeldFocus } from '../../../components/held-focus.ts';
import { useImport, type ImportForm } from './import-flow.ts';
import { coursesQuery } from '../queries.ts';
import { semesterOptions } from '../term.ts';
import { AlertDialog } from '../alert-dialog.tsx';
import { BadRows } from './unreadable-rows.tsx';
import { ImportPreview } from './preview.tsx';
import { RosterField } from './roster-field.tsx';
import { RosterImports } from './roster-imports.tsx';

const emptyForm = (): ImportForm => {
  const { year, semester } = rosterTerm(serverNow());
  return { year: String(year), semester, subject: '', text: '' };
};

export function ImportTab() {
  const id = useId();
  const { value, change, restored } = useKept('students/import', emptyForm);
  const [submitter, setSubmitter] = useState<HTMLElement | null>(null);
  const courses = useQuery(coursesQuery);
  const { outcome, forget, analyse, correct, store, isAnalysing, isStoring, refused } = useImport();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isAnalysing || isStoring) return;
    setSubmitter(event.currentTarget.querySelector<HTMLElement>('[type=submit]'));
    analyse(value);
  };
  const edit = (part: Partial<ImportForm>) => change((before) => ({ ...before, ...part }));
  const subjects = [...new Set((courses.data ?? []).map(({ subject }) => subject))];
  return (
    <section aria-label="명단 입력" tabIndex={-1} {...useHeldFocus<HTMLElement>()}>
      <form noValidate onSubmit={submit} className="space-y-4">
        <DraftNote {...restored} />
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-[8rem_8rem_minmax(12rem,24rem)]">
          <TextField
            label="연도"
            name="year"
            inputMode="numeric"
            value={value.year}
            onChange={({ target }) => edit({ year: target.value })}
            autoComplete="off"
          />
          <SelectField<1 | 2>
            label="학기"
            options={semesterOptions}
            value={value.semester}
            onChange={(semester) => edit({ semester })}
          />
          <TextField
            className="col-span-2 sm:col-span-1"
            label="과목"
            name="subject"
            value={value.subject}
            onChange={({ target }) => edit({ subject: target.value })}
            maxLength={200}
            list={`${id}-subjects`}
            autoComplete="off"
          />
          <datalist id={`${id}-subjects`}>
            {subjects.map((subject) => (
              <option key={subject} value={subject}>
                {subject}
              </option>
            ))}
          </datalist>
        </div>
        <TermOffer onChoose={({ year, semester }) => edit({ year: String(year), semester })} />
        <RosterField
          text={value.text}
          onChange={(text) => {
            edit({ text });
            if (outcome) forget();
          }}
        />
        <Button type="submit" aria-disabled={isAnalysing || isStoring}>
          {isAnalysing ? '분석하는 중' : '미리보기'}
        </Button>
      </form>
      {outcome && 'alert' in outcome && (
        <AlertDialog text={outcome.alert} onClose={forget} returnFocusTo={submitter} />
      )}
      {outcome && 'toast' in outcome && outcome.notes && (
        <div className="mt-4 rounded-md bg-notice-wash px-4 py-3 wrap-anywhere text-notice">
          {outcome.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      {outcome && 'toast' in outcome && outcome.bad && <BadRows rows={outcome.bad} />}
      {outcome && 'preview' in outcome && (
        <ImportPreview
          analysis={outcome}
          refused={refused}
          isStoring={isStoring}
          isComparing={isAnalysing}
          onCorrect={(corrections) => correct({ analysis: outcome, corrections })}
          onCancel={forget}
          onSubmit={(roster) => store(roster, { onSuccess: restored.onDiscard })}
        />
      )}
      <RosterImports />
    </section>
  );
}
