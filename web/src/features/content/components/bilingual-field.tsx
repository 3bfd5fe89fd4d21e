import type { Content } from '#contract/content';
import type { ContentProblem } from '#content/publication-rules';
import { useId } from 'react';
import { Input } from '../../../components/ui/input.tsx';
import { asText, valueAt, type ValuePath } from '../value-at-path.ts';

/** Props that every field of the form receives. */
export type FieldEditingProps = {
  content: Content;
  problems: readonly ContentProblem[];
  onChange: (path: ValuePath, value: unknown) => void;
  /** The id of the open entry in each list, by the list's path. */
  cards: Readonly<Record<string, string | undefined>>;
  onCard: (list: ValuePath, id: string | undefined) => void;
};

const LANGUAGES = [
  ['ko', '한국어'],
  ['en', 'English'],
] as const;

/** The headers of the two language columns. A phone has only one column. */
export const LanguageHeads = () => (
  <div
    aria-hidden
    className="top-32 z-10 mb-2 grid grid-cols-2 gap-3 border-b border-line bg-paper py-1 text-sm text-ink-soft max-sm:hidden lg:sticky"
  >
    {LANGUAGES.map(([language, name]) => (
      <span key={language}>{name}</span>
    ))}
  </div>
);

export function BilingualField({
  label,
  path,
  isLong = false,
  content,
  problems,
  onChange,
}: FieldEditingProps & { label: string; path: ValuePath; isLong?: boolean | undefined }) {
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">{label}</legend>
      <div className="mt-1.5 grid gap-3 sm:grid-cols-2">
        {LANGUAGES.map(([language, name]) => {
          const at = [...path, language];
          const error = problems.find((problem) => problem.path === at.join('.'))?.message;
          const props = {
            id: `${id}-${language}`,
            lang: language,
            'aria-label': `${label} ${name}`,
            'aria-invalid': error === undefined ? undefined : true,
            'aria-describedby': error === undefined ? undefined : `${id}-${language}-note`,
            placeholder: name,
            value: asText(valueAt(content, at)),
            onChange: ({ target }: { target: { value: string } }) => onChange(at, target.value),
          };
          return (
            <div key={language} className="min-w-0">
              {isLong ? (
                <textarea
                  {...props}
                  rows={3}
                  className="block field-sizing-content min-h-22 w-full min-w-0 wrap-anywhere rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink aria-invalid:border-danger"
                />
              ) : (
                <Input {...props} />
              )}
              {error !== undefined && (
                <p id={`${id}-${language}-note`} className="mt-1 text-sm text-danger">
                  {error}
                </p>
              )}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
