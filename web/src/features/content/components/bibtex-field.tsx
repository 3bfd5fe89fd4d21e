import type { ContentProblem } from '#content/publication-rules';
import { useEffect, useId, useState } from 'react';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { showToast } from '../../../lib/toast-queue.ts';
import { fetchBibtex, useAttempt } from '../queries.ts';

type BibtexProps = {
  text: string;
  problems: readonly ContentProblem[];
  doubts: readonly ContentProblem[];
  onChange: (text: string) => void;
};

/** A text field for the publications' BibTeX. Lists the errors and the warnings with their line numbers. */
export function BibtexField({ text, problems, doubts, onChange }: BibtexProps) {
  const id = useId();
  return (
    <div data-path="publications">
      <label htmlFor={id} className="font-semibold">
        BibTeX
      </label>
      <p className="text-sm text-ink-soft">
        Zotero, JabRef, 출판사에서 내보낸 그대로 붙여넣으세요. selected = {'{true}'}인 논문이 소개에 보이고,
        pdf와 code에는 주소를 씁니다.
      </p>
      <DoiField onFound={(entry) => onChange(`${text.trimEnd()}\n\n${entry}\n`.trimStart())} />
      <ul id={`${id}-problems`} aria-live="polite" className="mt-2 space-y-1 text-sm text-danger">
        {problems.map(lineOf)}
      </ul>
      <ul aria-live="polite" className="mt-2 space-y-1 text-sm text-notice">
        {doubts.map(lineOf)}
      </ul>
      <textarea
        id={id}
        value={text}
        spellCheck={false}
        rows={24}
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-problems`}
        onChange={({ target }) => onChange(target.value)}
        className="mt-2 block w-full rounded-md border border-line-strong bg-surface px-3 py-2 font-mono text-sm text-ink"
      />
    </div>
  );
}

const lineOf = ({ path, message }: ContentProblem) => (
  <li key={`${path} ${message}`}>
    {path.split('.')[1]}행: {message}
  </li>
);

/** Looks up a paper by its DOI and appends the paper's BibTeX. */
function DoiField({ onFound }: { onFound: (bibtex: string) => void }) {
  const [doi, setDoi] = useState('');
  const { isBusy, failure, attempt } = useAttempt();
  const look = () =>
    attempt(async () => {
      onFound(await fetchBibtex(doi));
      setDoi('');
      showToast('논문을 추가했습니다');
    });
  return (
    <form
      className="mt-2 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && doi.trim() !== '') void look();
      }}
    >
      <TextField
        className="min-w-0 grow"
        label="DOI로 찾아 추가"
        error={failure}
        value={doi}
        onChange={({ target }) => setDoi(target.value)}
      />
      <Button type="submit" variant="outline" aria-disabled={isBusy || doi.trim() === ''}>
        {isBusy ? '찾는 중…' : '찾기'}
      </Button>
    </form>
  );
}

const PAUSE_MS = 400;

const NOTHING: Pick<BibtexProps, 'problems' | 'doubts'> = { problems: [], doubts: [] };

/** Checks the BibTeX text when the user pauses typing. Checks nothing while `isNeeded` is false. */
export function useBibtexProblems(text: string, isNeeded: boolean): typeof NOTHING {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isCurrent = true;
    const read = async () => {
      const { readPublications } = await import('#content/bibtex/read-publications');
      if (isCurrent) setFound(readPublications(text));
    };
    // If the parser cannot be loaded, the server reports the errors on publishing.
    const timer = setTimeout(() => void read().catch((error: unknown) => console.warn(error)), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, isNeeded]);
  return found;
}
