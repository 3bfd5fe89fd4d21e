import { subjectTerm } from '#contract/terms';
import { useState } from 'react';
import { serverNow } from '../../../lib/server-time.ts';
import { TermOffer } from '../../../components/term-offer.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { GRADES, yearsUntil, type Choice } from '../address.ts';
import { DEPARTMENTS, departmentLabels, gradeText, semesterOptions } from '../labels.ts';

type Props = { choice: Choice; onChange: (part: Partial<Choice>) => void };

const departmentOptions = DEPARTMENTS.map((value) => ({
  value,
  label: departmentLabels[value],
  code: value,
}));
const gradeOptions = GRADES.map((value) => ({ value, label: gradeText(value) }));

const chip =
  'flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md border border-line-strong bg-surface px-3 text-sm has-checked:border-accent has-checked:bg-accent-wash has-checked:font-semibold has-checked:text-accent-strong hover:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent';

/** Selects term, departments and grades. */
export function ChoiceForm({ choice, onChange }: Props) {
  const [yearOptions] = useState(() =>
    yearsUntil(subjectTerm(serverNow()).year).map((year) => ({ value: year, label: `${year}년` })),
  );
  return (
    <form onSubmit={(event) => event.preventDefault()} className="mb-5 space-y-3 print:hidden">
      <div className="flex gap-3">
        <SelectField
          className="w-32"
          isLabelHidden
          label="연도"
          options={yearOptions}
          value={choice.year}
          onChange={(year) => onChange({ year })}
        />
        <SelectField
          className="w-36"
          isLabelHidden
          label="학기"
          options={semesterOptions}
          value={choice.semester}
          onChange={(semester) => onChange({ semester })}
        />
      </div>
      <TermOffer
        onChoose={({ year, semester }) => onChange({ year, semester: semester === 1 ? 'spring' : 'fall' })}
      />
      {choice.view !== 'input' && (
        <>
          <Chips
            legend="학과"
            options={departmentOptions}
            chosen={choice.departments}
            onChange={(departments) => onChange({ departments })}
          />
          <Chips
            legend="학년"
            options={gradeOptions}
            chosen={choice.grades}
            onChange={(grades) => onChange({ grades })}
          />
        </>
      )}
    </form>
  );
}

type ChipsProps<Value> = {
  legend: string;
  options: readonly { value: Value; label: string; code?: string }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
};

function Chips<Value extends string | number>({ legend, options, chosen, onChange }: ChipsProps<Value>) {
  const toggle = (value: Value) => {
    const next = new Set([value]).symmetricDifference(new Set(chosen));
    onChange(options.flatMap((option) => (next.has(option.value) ? [option.value] : [])));
  };
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{legend}</legend>
      <span aria-hidden className="w-9 text-sm font-semibold">
        {legend}
      </span>
      {options.map(({ value, label, code }) => (
        <label key={value} className={chip}>
          <input
            type="checkbox"
            className="accent-accent"
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
          />
          {label}
          {code !== undefined && <span className="font-normal text-ink-soft">{code}</span>}
        </label>
      ))}
    </fieldset>
  );
}
