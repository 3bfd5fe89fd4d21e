import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import type { Field } from '../form-fields.ts';
import { isEntry, itemName, newId, type Entry } from '../entries.ts';
import { moveItem, textOf, valueAt, withValue, type Path } from '../value.ts';
import { BilingualField, type Editing } from './bilingual-field.tsx';
import { PhotographField } from './photograph-field.tsx';

type Props = Editing & { fields: readonly Field[]; path: Path };

/** Fields of one part of the content, each with its errors. */
export function Fields({ fields, path, ...editing }: Props) {
  return (
    <div className="space-y-5">
      {fields.map((field) => {
        const at = field.key === '' ? path : [...path, field.key];
        return (
          <div key={field.key} data-path={at.join('.')}>
            <OneField field={field} path={at} {...editing} />
          </div>
        );
      })}
    </div>
  );
}

function OneField({ field, path, ...editing }: Editing & { field: Field; path: Path }) {
  const { content, problems, onChange } = editing;
  const value = valueAt(content, path);
  const error = problems.find((problem) => problem.path === path.join('.'))?.message;
  const { label, hint } = field;
  if (field.kind === 'both')
    return <BilingualField label={label} path={path} isLong={field.isLong} {...editing} />;
  if (field.kind === 'photograph') return <PhotographField label={label} path={path} {...editing} />;
  if (field.kind === 'list') return <ListField field={field} path={path} {...editing} />;
  if (field.kind === 'choice')
    return (
      <SelectField
        label={label}
        options={field.options(content)}
        value={textOf(value)}
        placeholder="선택하세요"
        onChange={(next) => onChange(path, next)}
      />
    );
  if (field.kind === 'group')
    return (
      <fieldset className="min-w-0 space-y-5 rounded-lg border border-line p-4">
        <legend className="px-1 font-semibold">{label}</legend>
        {field.absent && (
          <label className="flex min-h-10 items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={value !== null}
              onChange={({ target }) => onChange(path, target.checked ? field.absent : null)}
            />
            페이지에 넣기
          </label>
        )}
        {value !== null && <Fields fields={field.fields} path={path} {...editing} />}
      </fieldset>
    );
  return (
    <TextField
      label={label}
      {...(hint !== undefined && { hint })}
      error={error}
      type={field.kind === 'day' ? 'date' : 'text'}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      value={textOf(value)}
      onChange={({ target }) => onChange(path, field.kind === 'number' ? Number(target.value) : target.value)}
    />
  );
}

type ListProps = Editing & { field: Field & { kind: 'list' }; path: Path };

/** A list whose items can be added, removed and reordered, by buttons or by dragging. */
function ListField({ field: { label, hint, item, fresh, groups }, path, ...editing }: ListProps) {
  const { content, problems, onChange, cards, onCard } = editing;
  const found = valueAt(content, path);
  const list: Entry[] = Array.isArray(found) ? found.filter(isEntry) : [];
  const error = problems.find((problem) => problem.path === path.join('.'))?.message;
  const [dragged, setDragged] = useState<number>();
  const opened = cards[path.join('.')];
  const setOpened = (id: string | undefined) => onCard(path, id);
  const [said, say] = useState('');
  const box = useRef<HTMLOListElement>(null);
  /** Changes the list, and moves the keyboard's focus to the changed item. */
  const change = (next: Entry[], open: string | undefined, focus: number, selector: string) => {
    flushSync(() => {
      onChange(path, next);
      setOpened(open);
    });
    const at = box.current?.children[Math.min(focus, next.length - 1)];
    (
      at?.querySelector<HTMLElement>(selector) ??
      at?.querySelector<HTMLElement>('[data-move]:enabled') ??
      box.current?.parentElement?.querySelector('button')
    )?.focus();
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= list.length || from === to) return;
    const way = to < from ? 'up' : 'down';
    change(moveItem(list, from, to), undefined, to, `[data-move="${way}"]:enabled`);
    say(`${itemName(list[from])}: ${list.length}개 중 ${to + 1}번째`);
  };
  return (
    <section aria-label={label} className="space-y-2">
      <h3 className="font-semibold">
        {label} <span className="font-normal text-ink-soft">{list.length}</span>
      </h3>
      {hint !== undefined && <p className="text-sm text-ink-soft">{hint}</p>}
      {error !== undefined && <p className="text-sm text-danger">{error}</p>}
      <ol ref={box} className="space-y-2">
        {list.map((value, at) => {
          const inside: Path = [...path, value.id];
          const name = itemName(value) || `${at + 1}번째`;
          const wrong = problems.filter((problem) => problem.path.startsWith(`${inside.join('.')}.`)).length;
          const tools = (
            <ItemTools
              name={name}
              isFirst={at === 0}
              isLast={at === list.length - 1}
              onMove={(by) => move(at, at + by)}
              onRemove={() =>
                change(
                  list.filter((_, each) => each !== at),
                  undefined,
                  at,
                  'button',
                )
              }
            />
          );
          return (
            // The buttons do the same for users who cannot drag.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li
              key={value.id}
              data-path={inside.join('.')}
              draggable={opened !== value.id && typeof item !== 'string'}
              onDragStart={() => setDragged(at)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => dragged !== undefined && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== undefined) move(dragged, at);
              }}
              className={`rounded-lg border border-line p-3 ${dragged === at ? 'opacity-50' : ''}`}
            >
              {typeof item === 'string' ? (
                <div className="flex flex-wrap items-end gap-2">
                  <div className="min-w-0 grow">
                    <BilingualField
                      label={`${label} ${at + 1}`}
                      path={inside}
                      isLong={item === 'long'}
                      {...editing}
                    />
                  </div>
                  {tools}
                </div>
              ) : (
                <>
                  <div className="flex flex-wrap items-center gap-2">
                    <button
                      type="button"
                      aria-expanded={opened === value.id}
                      onClick={() => setOpened(opened === value.id ? undefined : value.id)}
                      className="min-h-10 min-w-0 grow truncate text-left font-semibold hover:text-accent"
                    >
                      {name}
                      {wrong > 0 && <span className="ml-2 text-sm text-danger">수정할 곳 {wrong}</span>}
                    </button>
                    {tools}
                  </div>
                  {opened === value.id && (
                    <div className="mt-3 space-y-5">
                      {groups && (
                        <SelectField
                          className="w-72"
                          label="구분"
                          options={groups}
                          value={String(path.at(-1))}
                          onChange={(group) => {
                            const [from, to] = [path, [...path.slice(0, -1), group]];
                            const others = valueAt(content, to);
                            if (group === path.at(-1) || !Array.isArray(others)) return;
                            const without = withValue(
                              content,
                              from,
                              list.filter((_, each) => each !== at),
                            );
                            // A person whose name is not public has no photograph.
                            const kept = group.startsWith('undergraduate') ? { photograph: null } : {};
                            const next = withValue(without, to, [...others, { ...value, ...kept }]);
                            onChange(path.slice(0, -1), valueAt(next, path.slice(0, -1)));
                            setOpened(undefined);
                            say(`${name}: ${groups.find((each) => each.value === group)?.label}`);
                          }}
                        />
                      )}
                      <Fields fields={item} path={inside} {...editing} />
                    </div>
                  )}
                </>
              )}
            </li>
          );
        })}
      </ol>
      <Button
        variant="outline"
        size="sm"
        onClick={() => {
          const id = newId();
          change([...list, { ...fresh, id }], id, list.length, 'input, textarea');
        }}
      >
        {label} 추가
      </Button>
      <output className="sr-only">{said}</output>
    </section>
  );
}

type ToolProps = {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

function ItemTools({ name, isFirst, isLast, onMove, onRemove }: ToolProps): ReactNode {
  return (
    <div className="flex shrink-0 gap-1">
      <Button
        variant="ghost"
        size="sm"
        disabled={isFirst}
        data-move="up"
        aria-label={`${name} 위로`}
        onClick={() => onMove(-1)}
      >
        ↑
      </Button>
      <Button
        variant="ghost"
        size="sm"
        disabled={isLast}
        data-move="down"
        aria-label={`${name} 아래로`}
        onClick={() => onMove(1)}
      >
        ↓
      </Button>
      <Button variant="destructive-ghost" size="sm" aria-label={`${name} 삭제`} onClick={onRemove}>
        삭제
      </Button>
    </div>
  );
}
