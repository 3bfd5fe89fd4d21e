import type { Content, ContentState } from '#contract/content';
import { contentProblems } from '#content/publication-rules';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ConfirmDialog, LeaveGuard } from '../../components/confirm-dialog.tsx';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { showToast } from '../../lib/toast-queue.ts';
import { BibtexField, useBibtexProblems } from './components/bibtex-field.tsx';
import { LanguageHeads } from './components/bilingual-field.tsx';
import { ContentFields } from './components/fields.tsx';
import { Conflicts } from './components/conflicts.tsx';
import { PagePreview } from './components/preview.tsx';
import { Differences, PublishedVersions } from './components/versions.tsx';
import { FORM_PARTS, fieldPathText } from './form-parts.ts';
import {
  contentQuery,
  currentContentOf,
  contentFailureText,
  publishContentDraft,
  restoreContentVersion,
  contentVersionsQuery,
  useAttempt,
} from './queries.ts';
import { useContentDraft } from './use-content-draft.ts';
import type { FieldEditingProps } from './components/bilingual-field.tsx';
import { findDifferences } from './differences.ts';
import { isEntry, pathByIds, valueAt, withValueAt } from './value-at-path.ts';

export function ContentScreen() {
  const { data, isPending, refetch } = useQuery(contentQuery);
  if (data) return <Editor start={data} />;
  return (
    <ManagementPage title={TITLE}>
      {isPending ? (
        <LoadingPart rows={4} />
      ) : (
        <FailedPart text="내용을 불러오지 못했습니다" onRetry={() => void refetch()} />
      )}
    </ManagementPage>
  );
}

const TITLE = '홈페이지 내용';

const SECTIONS = [...FORM_PARTS, { name: 'versions', title: '버전' }].map(({ name, title }) => ({
  value: name,
  label: title,
}));

const SAVING = {
  saved: '임시 저장되었습니다',
  waiting: '저장 대기 중…',
  saving: '저장하고 있습니다…',
  failed: '저장하지 못했습니다',
};

function Editor({ start }: { start: ContentState }) {
  const client = useQueryClient();
  const kept = useContentDraft(start);
  const { draft, saved, saving, isChanged, failure: unsaved } = kept;
  const [open, setOpen] = useState<string>('lab');
  const [cards, setCards] = useState<FieldEditingProps['cards']>({});
  const [place, setPlace] = useState('');
  const [asked, setAsked] = useState<HTMLElement>();
  const form = useRef<HTMLDivElement>(null);
  const { problems: papers, doubts } = useBibtexProblems(
    draft.publications,
    open === 'publications' || draft.publications !== saved.published.publications,
  );
  const problems = useMemo(() => {
    const found = [...contentProblems(draft), ...papers];
    const path = unsaved?.field?.startsWith('draft.') ? unsaved.field.slice('draft.'.length) : undefined;
    const isNew = path !== undefined && found.every((problem) => problem.path !== path);
    const refused = isNew ? [{ path, message: unsaved?.text ?? '' }] : [];
    return [...refused, ...found].map(({ path, message }) => ({
      path: pathByIds(path, draft),
      message,
    }));
  }, [draft, papers, unsaved]);
  const { isBusy, failure, attempt } = useAttempt((error) => {
    const current = currentContentOf(error);
    if (current) kept.join(current, true);
    const field = error.details?.field ?? '';
    if (!current) return contentFailureText(error).replace(`${field}:`, `${fieldPathText(field, draft)}:`);
    return findDifferences(current.published, current.draft).length === 0
      ? '그 사이에 다른 사람이 모두 게시했습니다'
      : '그 사이에 저장된 변경을 합쳤습니다. 바뀌는 것을 보고 다시 게시하세요';
  });
  const isPublished = useMemo(() => findDifferences(saved.published, draft).length === 0, [saved, draft]);
  const isReady = !isBusy && !isChanged && !isPublished && problems.length === 0 && !kept.met?.asked.length;
  const run = (what: () => Promise<string>) =>
    attempt(async () => {
      const done = await what();
      kept.join(await client.fetchQuery({ ...contentQuery, staleTime: 0 }), false);
      void client.invalidateQueries({ queryKey: contentVersionsQuery.queryKey });
      showToast(done);
    });
  const publish = () =>
    run(async () => {
      await publishContentDraft(saved.version);
      return '게시했습니다';
    });
  /** Restores a version. A version with errors becomes the draft, and a button brings the old draft back. */
  const restore = (version: number) =>
    run(async () => {
      const state = await restoreContentVersion(version);
      if (!state) return '되돌렸습니다';
      kept.replace(state);
      return '그대로는 게시할 수 없어 임시 저장본으로 가져왔습니다. 수정할 곳을 채우고 게시하세요';
    });
  /** Opens the part of the form with the error and focuses the field. */
  const goTo = (path: string) => {
    const keys = path.split('.');
    flushSync(() => {
      setOpen(partOf(path));
      const opened = keys.map((key, at) => [keys.slice(0, at).join('.'), key]);
      setCards((before) => ({ ...before, ...Object.fromEntries(opened) }));
    });
    if (form.current) focusAt(form.current, keys);
  };
  const part = FORM_PARTS.find(({ name }) => name === open);
  const isHeaded =
    part && (part.path.length > 0 || Object.keys(part.fields).some((key) => cards[key] !== undefined));
  return (
    <ManagementPage
      title={TITLE}
      isSticky
      beside={
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p
            aria-live="polite"
            className={`text-sm ${saving === 'failed' ? 'text-danger' : 'text-ink-soft'}`}
          >
            {SAVING[saving]}
            {unsaved !== undefined && ` (${unsaved.text})`}
            {saving === 'failed' && unsaved?.field === undefined && '. 다시 시도합니다'} ·{' '}
            {isPublished ? '게시된 내용과 같습니다' : '게시하지 않은 변경이 있습니다'}
          </p>
          <Button variant="outline" size="sm" disabled={!kept.undo} onClick={kept.undo}>
            되돌리기
          </Button>
          <Button
            size="sm"
            aria-disabled={!isReady}
            onClick={({ currentTarget }) => isReady && setAsked(currentTarget)}
          >
            게시
          </Button>
        </div>
      }
    >
      <LeaveGuard isBusy={isChanged} title="아직 저장되지 않은 글이 있습니다">
        나가면 방금 입력한 글이 사라질 수 있습니다.
      </LeaveGuard>
      {asked && (
        <ConfirmDialog
          title="이 변경을 방문자에게 보일까요?"
          submitLabel="게시"
          returnFocusTo={asked}
          onClose={() => setAsked(undefined)}
          onSubmit={() => void publish()}
        >
          <Differences isShort before={saved.published} after={draft} />
        </ConfirmDialog>
      )}
      {kept.met && <Conflicts met={kept.met} draft={draft} onChange={kept.change} onDone={kept.setMet} />}
      {failure !== undefined && (
        <p role="alert" className="mt-3 rounded-md bg-danger-wash px-4 py-3 text-danger">
          {failure}
        </p>
      )}
      {problems.length > 0 && (
        <details className="mt-3 rounded-md bg-notice-wash px-4 py-2 text-notice">
          <summary className="min-h-8 cursor-pointer">게시하기 전에 수정할 곳 {problems.length}</summary>
          <ul className="mt-1 space-y-1 text-sm">
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <button type="button" className="text-left underline" onClick={() => goTo(path)}>
                  {fieldPathText(path, draft)}
                </button>
                : {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="mt-4 gap-6 lg:flex">
        <SelectField
          className="mb-4 lg:hidden"
          label="내용 항목"
          isLabelHidden
          options={SECTIONS}
          value={open}
          onChange={setOpen}
        />
        <nav aria-label="내용 항목" className="top-32 w-36 shrink-0 self-start max-lg:hidden lg:sticky">
          {SECTIONS.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-current={open === value ? 'true' : undefined}
              onClick={() => setOpen(value)}
              className={`block min-h-9 w-full border-l-2 px-3 text-left text-sm hover:text-accent ${open === value ? 'border-accent font-semibold text-accent' : 'border-line'}`}
            >
              {label}
            </button>
          ))}
        </nav>
        <div
          className={`grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-6 ${open === 'versions' ? '' : 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]'}`}
        >
          <div
            ref={form}
            className="min-w-0"
            onFocus={({ target }) =>
              setPlace(target.closest<HTMLElement>('[data-path]')?.dataset['path'] ?? '')
            }
          >
            {isHeaded && <LanguageHeads />}
            {open === 'versions' ? (
              <>
                {!isPublished && (
                  <section className="mb-6">
                    <h2 className="font-semibold">게시하지 않은 변경</h2>
                    <Differences before={saved.published} after={draft} />
                  </section>
                )}
                <PublishedVersions
                  state={saved}
                  isBusy={isBusy}
                  onRestore={(version) => void restore(version)}
                />
              </>
            ) : open === 'publications' ? (
              <BibtexField
                text={draft.publications}
                problems={papers}
                doubts={doubts}
                onChange={(publications) =>
                  kept.change((before) => ({ ...before, publications }), 'publications')
                }
              />
            ) : (
              part && (
                <ContentFields
                  key={part.name}
                  fields={part.fields}
                  path={part.path}
                  content={draft}
                  problems={problems}
                  cards={cards}
                  onCard={(list, id) => setCards((before) => ({ ...before, [list.join('.')]: id }))}
                  onChange={(path, value) =>
                    kept.change(
                      (before) => withValueAt<Content>(before, path, value),
                      typeof value === 'string' ? path.join('.') : undefined,
                    )
                  }
                />
              )
            )}
          </div>
          {open !== 'versions' && (
            <div className="top-32 xl:sticky xl:self-start">
              <PagePreview saved={saved} section={part?.section ?? 'title'} entry={entryAt(draft, place)} />
            </div>
          )}
        </div>
      </div>
    </ManagementPage>
  );
}

/** Returns the name of the part of the form that contains the value at this path. */
function partOf(path: string): string {
  const [first = ''] = path.split('.');
  return FORM_PARTS.some(({ name }) => name === first) ? first : 'lab';
}

/** Returns the outermost list entry that contains the value at this path. */
function entryAt(content: Content, path: string) {
  const keys = path.split('.');
  return keys.map((_, at) => valueAt(content, keys.slice(0, at + 1))).find(isEntry);
}

/** Focuses the input of the value at this path, or the nearest field around the value that is rendered. */
function focusAt(form: HTMLElement, keys: readonly string[]): void {
  const boxes = keys.map((_, at) => form.querySelector(`[data-path="${keys.slice(0, at + 1).join('.')}"]`));
  const box = boxes.findLast((each) => each !== null);
  const inLanguage = box?.querySelector<HTMLElement>(`[lang="${keys.at(-1)}"]`);
  const isPaper = keys[0] === 'publications';
  const field =
    inLanguage ?? box?.querySelector<HTMLElement>(isPaper ? 'textarea' : 'input, textarea, button');
  field?.focus();
  if (!(field instanceof HTMLTextAreaElement) || !isPaper) return;
  const lines = field.value.split('\n');
  const at = Number(keys[1]) - 1;
  const start = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
  field.setSelectionRange(start, start + (lines[at]?.length ?? 0));
  field.scrollTop = ((at - 3) / lines.length) * field.scrollHeight;
}
