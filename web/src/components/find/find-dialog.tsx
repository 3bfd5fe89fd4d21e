import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { searchableRecordsQuery } from '../../lib/searchable-records.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { mayOpen } from '../../lib/page-access.ts';
import { Button } from '../ui/button.tsx';
import { CommandDialog, CommandGroup, CommandInput, CommandItem, CommandList } from '../ui/command.tsx';
import {
  recordEntries,
  screenEntries,
  type SearchEntry,
  type SearchEntryKind,
  findMatches,
} from './search-results.ts';

const kindLabels: Record<SearchEntryKind, string> = {
  screen: '화면',
  student: '학생',
  course: '강의',
  subject: '과목',
  plant: '화분',
};

function headingOf(kind: SearchEntryKind, shown: number, more: number): string {
  const label = kindLabels[kind];
  const unit = kind === 'student' ? '명' : '개';
  return more === 0 ? label : `${label} ${(shown + more).toLocaleString('ko')}${unit} 중 ${shown}${unit}`;
}

const focusMain = () => document.getElementById('main')?.focus({ preventScroll: true });

/** Typing must pause before records are requested: finding a screen by its name needs no student data. */
const PAUSE_MS = 250;

type Props = { returnFocusTo: Element | null; onClose: () => void };

/** Finds a screen, student, course, subject or plant, and opens it. */
export function FindDialog({ returnFocusTo, onClose }: Props) {
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const wasChosen = useRef(false);
  const { found, ...rows } = useFound(text);
  const options = found.flatMap(({ shown }) => shown);
  const current = Math.min(active, options.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  useEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);

  const open = async ({ place: { to, search = {}, row } }: SearchEntry) => {
    wasChosen.current = true;
    onClose();
    await navigate({ to, search, ...(row !== undefined && { state: { row } }) });
    // A screen that was already open does not take the focus by itself.
    if (document.activeElement === document.body) focusMain();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While a Korean syllable is being composed, Enter and the arrow keys belong to the composition.
    if (event.nativeEvent.isComposing) return;
    const option = options[current];
    if (event.key === 'Enter' && option) void open(option);
    else if (event.key === 'ArrowDown') setActive((current + 1) % Math.max(1, options.length));
    else if (event.key === 'ArrowUp') setActive((current + options.length - 1) % Math.max(1, options.length));
    else return;
    event.preventDefault();
  };
  let index = 0;
  return (
    <CommandDialog
      lang="ko"
      title="찾기"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        if (wasChosen.current) return;
        if (returnFocusTo instanceof HTMLElement && returnFocusTo.isConnected) returnFocusTo.focus();
        else focusMain();
      }}
    >
      <CommandInput
        aria-label="찾을 이름이나 번호"
        placeholder={rows.areOffered ? '화면, 학생, 강의, 과목, 화분의 이름·초성·번호' : '화면 이름'}
        list={`${id}-list`}
        aria-activedescendant={options.length > 0 ? optionId(current) : undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setActive(0);
          rows.ask(target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <output className="sr-only">
        {rows.isLoading ? '찾고 있습니다.' : options.length > 0 ? `결과 ${options.length}개` : ''}
      </output>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain p-2">
        <CommandList id={`${id}-list`} aria-label="결과" aria-busy={rows.isLoading}>
          {found.map(({ kind, shown, more }) => (
            <CommandGroup key={kind} heading={headingOf(kind, shown.length, more)}>
              {shown.map((entry) => {
                const at = index++;
                return (
                  <CommandItem
                    key={entry.key}
                    id={optionId(at)}
                    isActive={at === current}
                    onPointerMove={() => setActive(at)}
                    onClick={() => void open(entry)}
                  >
                    <span>{entry.title}</span>
                    <span className="text-sm text-ink-soft tabular-nums">{entry.detail}</span>
                  </CommandItem>
                );
              })}
            </CommandGroup>
          ))}
        </CommandList>
        {rows.isLoading && <p className="px-3 py-3 text-ink-soft">찾고 있습니다.</p>}
        {rows.isOffline && <p className="px-3 py-3 text-ink-soft">인터넷에 연결되어 있지 않습니다.</p>}
        {options.length === 0 && !rows.isLoading && !rows.isOffline && !rows.retry && (
          <p className="px-3 py-3 text-ink-soft">결과가 없습니다.</p>
        )}
        {rows.lackPlants && (
          <p className="px-3 py-3 text-ink-soft">화분 데이터베이스가 응답하지 않아 화분은 찾지 못했습니다.</p>
        )}
        {rows.retry && (
          <p role="alert" className="flex flex-wrap items-center justify-between gap-3 px-3 py-2">
            학생, 강의, 과목, 화분을 불러오지 못했습니다.
            <Button variant="outline" size="sm" onClick={rows.retry}>
              다시 시도
            </Button>
          </p>
        )}
      </div>
    </CommandDialog>
  );
}

/** Finds the entries that match the text. Records are requested once, after the first pause in typing. */
function useFound(text: string) {
  const login = useLoginState();
  const [isAsked, setAsked] = useState(false);
  const areOffered = mayOpen(login, '/manage_students');
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  const ask = (typed: string) => {
    clearTimeout(pause.current);
    if (typed.trim() !== '') pause.current = setTimeout(() => setAsked(true), PAUSE_MS);
  };
  const rows = useQuery({ ...searchableRecordsQuery, enabled: areOffered && isAsked });
  const entries = useMemo(
    () => [...screenEntries(login), ...(rows.data ? recordEntries(rows.data) : [])],
    [login, rows.data],
  );
  const asked = useDeferredValue(text);
  const found = useMemo(() => findMatches(entries, asked), [entries, asked]);
  const isMissing = areOffered && text.trim() !== '' && !rows.data;
  const isOffline = isMissing && rows.fetchStatus === 'paused';
  const hasFailed = isMissing && rows.isError && !rows.isFetching;
  return {
    found,
    ask,
    areOffered,
    isOffline,
    lackPlants: rows.data?.plants === null,
    isLoading: isMissing && !isOffline && !hasFailed,
    retry: hasFailed ? () => void rows.refetch() : undefined,
  };
}
