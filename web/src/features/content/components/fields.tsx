import type { Content } from '#contract/content';
import { seoulDay } from '#contract/time';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { RowMenu } from '../../../components/row-menu.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import {
  contentModel,
  emptyItem,
  TEXT_LENGTH_MAX,
  type FieldModel,
  type FieldModels as FieldsOf,
  type GroupFieldModel,
  type ListFieldModel as List,
} from '#contract/content-model';
import { flattenContent, itemName, newEntryId, unflattenContent, type FlatContent } from '../entries.ts';
import {
  isEntry,
  moveItem,
  asText,
  valueAt,
  withValueAt,
  type ListEntry,
  type ValuePath,
} from '../value-at-path.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { BilingualField, type FieldEditingProps } from './bilingual-field.tsx';
import { PhotographField } from './photograph-field.tsx';

type Props = FieldEditingProps & { fields: FieldsOf; path: ValuePath };

/** Fields of one part of the content, each with its errors. */
export function ContentFields({ fields, path, ...editing }: Props) {
  return (
    <div className="space-y-5">
      {Object.entries(fields).map(([key, field]) => {
        const at = [...path, key];
        return (
          <div key={key} data-path={at.join('.')}>
            <OneField field={field} path={at} {...editing} />
          </div>
        );
      })}
    </div>
  );
}

function OneField({ field, path, ...editing }: FieldEditingProps & { field: FieldModel; path: ValuePath }) {
  const { content, problems, onChange } = editing;
  if (field.kind === 'null') return null;
  if (field.kind === 'both')
    return (
      <BilingualField label={field.label} path={path} isLong={field.max === TEXT_LENGTH_MAX} {...editing} />
    );
  if (field.kind === 'list') return <ListField field={field} path={path} {...editing} />;
  if (field.kind === 'group') return <Group group={field} path={path} {...editing} />;
  const value = asText(valueAt(content, path));
  if (field.kind === 'text' && field.rule === 'topic')
    return (
      <SelectField
        label={field.label}
        options={content.about.topics.map(({ name }) => ({ value: name.en, label: name.ko }))}
        value={value}
        placeholder="선택하세요"
        onChange={(next) => onChange(path, next)}
      />
    );
  const isNumber = field.kind === 'number';
  return (
    <TextField
      label={field.label}
      {...(field.hint !== undefined && { hint: field.hint })}
      error={problems.find((problem) => problem.path === path.join('.'))?.message}
      type={field.kind === 'text' && field.rule === 'day' ? 'date' : 'text'}
      inputMode={isNumber ? 'decimal' : undefined}
      value={value}
      onChange={({ target }) => onChange(path, isNumber ? Number(target.value) : target.value)}
    />
  );
}

function Group({ group, path, ...editing }: FieldEditingProps & { group: GroupFieldModel; path: ValuePath }) {
  const value = valueAt(editing.content, path);
  if (group.isPhotograph) return <GroupInside group={group} path={path} {...editing} />;
  return (
    <fieldset className="min-w-0 space-y-5 rounded-lg border border-line p-4">
      <legend className="px-1 font-semibold">{group.label}</legend>
      {group.isNullable && (
        <label className="flex min-h-10 items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={value !== null}
            onChange={({ target }) => editing.onChange(path, target.checked ? emptyItem(group) : null)}
          />
          페이지에 넣기
        </label>
      )}
      {value !== null && <GroupInside group={group} path={path} {...editing} />}
    </fieldset>
  );
}

function GroupInside({
  group,
  path,
  ...editing
}: FieldEditingProps & { group: GroupFieldModel; path: ValuePath }) {
  if (!group.isPhotograph) return <ContentFields fields={group.fields} path={path} {...editing} />;
  const { file: _file, alt: _alt, ...others } = group.fields;
  return (
    <>
      <PhotographField group={group} path={path} {...editing} />
      <ContentFields fields={others} path={path} {...editing} />
    </>
  );
}

type ListProps = FieldEditingProps & { field: List; path: ValuePath };

/** A list whose items can be added, removed and reordered, by buttons or by dragging. */
function ListField({ field: { label, hint, item }, path, ...editing }: ListProps) {
  const { content, problems, onChange, cards, onCard } = editing;
  const found = valueAt(content, path);
  const list: ListEntry[] = Array.isArray(found) ? found.filter(isEntry) : [];
  const error = problems.find((problem) => problem.path === path.join('.'))?.message;
  const [dragged, setDragged] = useState<number>();
  const opened = cards[path.join('.')];
  const setOpened = (id: string | undefined) => onCard(path, id);
  const [said, say] = useState('');
  const box = useRef<HTMLOListElement>(null);
  /** Changes the list, and moves the keyboard's focus to the changed item. */
  const change = (next: ListEntry[], open: string | undefined, focus: number, selector: string) => {
    flushSync(() => {
      onChange(path, next);
      setOpened(open);
    });
    const at = box.current?.children[Math.min(focus, next.length - 1)];
    (
      at?.querySelector<HTMLElement>(selector) ?? box.current?.parentElement?.querySelector('button')
    )?.focus();
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= list.length || from === to) return;
    change(moveItem(list, from, to), undefined, to, '[aria-haspopup=menu]');
    say(`${itemName(list[from])}: ${list.length}개 중 ${to + 1}번째`);
  };
  return (
    <section aria-label={label} className="space-y-2">
      <h3 className="font-semibold">
        {label} <span className="font-normal text-ink-soft">{list.length}</span>
      </h3>
      {hint !== undefined && <p className="text-sm text-ink-soft">{hint}</p>}
      {error !== undefined && <p className="text-sm text-danger">{error}</p>}
      <ol ref={box} className="divide-y divide-line border-y border-line empty:hidden">
        {list.map((value, at) => {
          const inside: ValuePath = [...path, value.id];
          const name = itemName(value) || `${at + 1}번째`;
          const wrong = problems.filter((problem) => problem.path.startsWith(`${inside.join('.')}.`)).length;
          const remove = () => {
            const others = list.filter((_, each) => each !== at);
            change(others, undefined, at, 'button');
            showToast(`${name}: 삭제했습니다. 되돌리기로 다시 넣을 수 있습니다`);
          };
          const moves = [
            ...(at > 0 ? [{ label: '위로', onChoose: () => move(at, at - 1) }] : []),
            ...(at < list.length - 1 ? [{ label: '아래로', onChoose: () => move(at, at + 1) }] : []),
          ];
          const menu = (
            <RowMenu
              name={name}
              actions={[...moves, { label: '삭제', isDestructive: true, onChoose: remove }]}
            />
          );
          return (
            // Users who cannot drag have buttons for the same changes.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li
              key={value.id}
              data-path={inside.join('.')}
              draggable={opened !== value.id && item.kind === 'group'}
              onDragStart={() => setDragged(at)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => dragged !== undefined && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== undefined) move(dragged, at);
              }}
              className={`${item.kind === 'both' ? 'py-3' : 'py-1'} ${dragged === at ? 'opacity-50' : ''}`}
            >
              {item.kind === 'both' ? (
                <div className="relative">
                  <BilingualField
                    label={`${label} ${at + 1}`}
                    path={inside}
                    isLong={item.max === TEXT_LENGTH_MAX}
                    {...editing}
                  />
                  <div className="absolute top-0 right-0">{menu}</div>
                </div>
              ) : (
                <>
                  <div className="flex items-center gap-2">
                    <button
                      type="button"
                      aria-expanded={opened === value.id}
                      onClick={() => setOpened(opened === value.id ? undefined : value.id)}
                      className="min-h-10 min-w-0 grow truncate text-left font-semibold hover:text-accent"
                    >
                      {name}
                      {wrong > 0 && <span className="ml-2 text-sm text-danger">수정할 곳 {wrong}</span>}
                    </button>
                    {menu}
                  </div>
                  {opened === value.id && (
                    <div className="mt-2 mb-4 space-y-5">
                      {path[0] === 'people' && (
                        <SelectField
                          className="w-72"
                          label="구분"
                          options={GROUPS}
                          value={String(path[1])}
                          onChange={(group) => {
                            const all = withValueAt<FlatContent>(
                              flattenContent(content),
                              ['people', value.id, 'group'],
                              group,
                            );
                            flushSync(() => {
                              onChange(['people'], unflattenContent(all).people);
                              onCard(['people', group], value.id);
                            });
                            const there = document.querySelector(`[data-path="people.${group}.${value.id}"]`);
                            there?.querySelector<HTMLElement>('[role=combobox]')?.focus();
                            showToast(`${name}: ${GROUPS.find((each) => each.value === group)?.label}`);
                          }}
                        />
                      )}
                      <GroupInside group={item} path={inside} {...editing} />
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
          const id = newEntryId();
          change(
            [...list, { ...emptyItem(item), ...usual(path, list, content), id }],
            id,
            list.length,
            'input, textarea',
          );
        }}
      >
        {label} 추가
      </Button>
      <output className="sr-only">{said}</output>
    </section>
  );
}

/** Initial values of a new entry: today's date for news, or the previous person's department for a person. */
function usual(path: ValuePath, list: readonly ListEntry[], content: Content): object {
  if (path[0] === 'news') return { date: seoulDay(Date.now()) };
  if (path[0] !== 'people' || path.length !== 2) return {};
  return {
    department: valueAt(list.at(-1) ?? flattenContent(content).people[0], ['department']) ?? {
      ko: '',
      en: '',
    },
  };
}

const GROUPS = Object.entries<List>(contentModel.people.fields).map(([value, { label, hint }]) => ({
  value,
  label: hint === undefined ? label : `${label} (이름 비공개)`,
}));
