import { usePublicContent } from '../content.ts';

type Answer = { question: string; answer: string };

export function QuestionAnswerList({ answers, className }: { answers: Answer[]; className: string }) {
  if (answers.length === 0) return null;
  return (
    <dl className={`grid gap-x-8 gap-y-2 ${className}`}>
      {answers.map(({ question, answer }) => (
        <div key={question} className="contents">
          <dt className="text-ink-soft">{question}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How to get to the laboratory. */
export function Directions() {
  const answers = usePublicContent().ways.map(({ by, text }) => ({ question: by, answer: text }));
  return <QuestionAnswerList answers={answers} className="mt-8 sm:grid-cols-[6rem_minmax(0,1fr)]" />;
}
