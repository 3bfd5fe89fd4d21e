import { selectableTerms, type Term, termText } from '#contract/terms';
import { useState } from 'react';
import { serverNow } from '../lib/server-time.ts';
import { Button } from './ui/button.tsx';

/** Offers two terms in January and February, when a user may mean either. Renders nothing in other months. */
export function TermChoice({ onChoose }: { onChoose: (term: Term) => void }) {
  const [terms] = useState(() => selectableTerms(serverNow()));
  if (terms.length === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-ink-soft">
      {terms.map((term, index) => (
        <Button key={term.year} variant="outline" size="sm" onClick={() => onChoose(term)}>
          {termText(term)} ({index === 0 ? '진행 중' : '다음'})
        </Button>
      ))}
    </p>
  );
}
