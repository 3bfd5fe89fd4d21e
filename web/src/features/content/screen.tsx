import type { Content, ContentState } from '#contract/content';
import { contentProblems, type ContentProblem } from '#content/problems';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { showToast } from '../../lib/toast.ts';
import { Fields } from './components/fields.tsx';
import { Preview } from './components/preview.tsx';
import { Differences, Versions } from './components/versions.tsx';
import { PARTS } from './form-fields.ts';
import { bibtexOf, contentQuery, publishDraft, restoreVersion, versionsQuery } from './queries.ts';
import { placeText } from './place-text.ts';
import { useBibtexProblems } from './use-bibtex-problems.ts';
import { useContentDraft } from './use-content-draft.ts';
import { withValue } from './value.ts';

export function ContentScreen() {
  const { data, isPending, refetch } = useQuery(contentQuery);
  return (
    <ManagementPage
      title="홈페이지 내용"
      lead="방문자가 보는 글과 사람. 게시하기 전에는 아무도 보지 않습니다."
    >
      {data ? (
        <Editor start={data} />
      ) : isPending ? (
        <LoadingPart rows={4} />
      ) : (
        <FailedPart text="내용을 불러오지 못했습니다" onRetry={() => void refetch()} />
      )}
    </ManagementPage>
  );
}

const SAVING = {
  saved: '임시 저장되었습니다',
  waiting: '저장 대기 중…',
  saving: '저장하고 있습니다…',
  failed: '저장하지 못했습니다. 다시 시도합니다',
};

function Editor({ start }: { start: ContentState }) {
  const client = useQueryClient();
  const kept = useContentDraft(start);
  const { draft, saved, saving, isChanged } = kept;
  const [open, setOpen] = useState<string>('lab');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const papers = useBibtexProblems(draft.publications);
  const problems = useMemo(() => [...contentProblems(draft), ...papers], [draft, papers]);
  const isPublished = JSON.stringify(draft) === JSON.stringify(saved.published);
  const run = async (what: () => Promise<unknown>, done: string) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await what();
      kept.take(await client.fetchQuery({ ...contentQuery, staleTime: 0 }));
      void client.invalidateQueries({ queryKey: versionsQuery.queryKey });
      showToast(done);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.message);
    } finally {
      setBusy(false);
    }
  };
  const part = PARTS.find(({ name }) => name === open);
  return (
    <>
      <LeaveGuard isBusy={isChanged} title="아직 저장되지 않은 글이 있습니다">
        나가면 방금 입력한 글이 사라질 수 있습니다.
      </LeaveGuard>
      <div className="flex flex-wrap items-center gap-3">
        <p aria-live="polite" className={`text-sm ${saving === 'failed' ? 'text-danger' : 'text-ink-soft'}`}>
          {SAVING[saving]}
          {kept.failure !== undefined && ` (${kept.failure})`} ·{' '}
          {isPublished ? '게시된 내용과 같습니다' : '게시하지 않은 변경이 있습니다'}
        </p>
        <div className="ml-auto flex gap-2">
          <Button variant="outline" size="sm" disabled={!kept.undo} onClick={kept.undo}>
            되돌리기
          </Button>
          <Button
            size="sm"
            aria-disabled={isBusy || isChanged || isPublished || problems.length > 0}
            onClick={() =>
              !isBusy &&
              !isChanged &&
              !isPublished &&
              problems.length === 0 &&
              void run(() => publishDraft(saved.version), '게시했습니다')
            }
          >
            게시
          </Button>
        </div>
      </div>
      {kept.lost && (
        <section
          aria-label="다른 사람의 변경"
          aria-live="polite"
          className="mt-3 rounded-md bg-notice-wash px-4 py-3 text-notice"
        >
          <p>
            다른 사람이 그 사이에 저장한 변경을 합쳤습니다.{' '}
            {kept.lost.length > 0 && '같은 곳을 고친 글은 내 글이 남았습니다. 상대방이 쓴 글:'}
          </p>
          <ul className="mt-1 space-y-1 text-sm">
            {kept.lost.map(({ path, after }) => (
              <li key={path} className="wrap-anywhere">
                {placeText(path, draft)}: {after === '' ? '(지움)' : after}
              </li>
            ))}
          </ul>
          <Button variant="outline" size="sm" className="mt-2" onClick={kept.forgetLost}>
            확인
          </Button>
        </section>
      )}
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
              <li key={path}>
                <button type="button" className="underline" onClick={() => setOpen(partOf(path))}>
                  {placeText(path, draft)}
                </button>
                : {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <nav aria-label="내용 항목" className="mt-5">
        <ul className="flex flex-wrap gap-1">
          {[...PARTS, { name: 'versions', title: '버전' }].map(({ name, title }) => (
            <li key={name}>
              <Button
                variant={open === name ? 'default' : 'outline'}
                size="sm"
                aria-current={open === name ? 'true' : undefined}
                onClick={() => setOpen(name)}
              >
                {title}
              </Button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="min-w-0">
          {open === 'versions' ? (
            <>
              {!isPublished && (
                <section className="mb-6">
                  <h2 className="font-semibold">게시하지 않은 변경</h2>
                  <Differences before={saved.published} after={draft} />
                </section>
              )}
              <Versions
                published={saved.published}
                publishedVersion={saved.publishedVersion}
                isBusy={isBusy}
                onRestore={(version) => void run(() => restoreVersion(version), '되돌렸습니다')}
              />
            </>
          ) : open === 'publications' ? (
            <BibtexField
              text={draft.publications}
              problems={papers}
              onChange={(publications) => kept.change((before) => ({ ...before, publications }))}
            />
          ) : (
            part && (
              <Fields
                key={part.name}
                fields={part.fields}
                path={part.field === undefined ? [] : [part.field]}
                content={draft}
                problems={problems}
                onChange={(path, value) => kept.change((before) => withValue<Content>(before, path, value))}
              />
            )
          )}
        </div>
        <div className="xl:sticky xl:top-20 xl:self-start">
          <Preview version={saved.version} section={part?.section ?? 'title'} />
        </div>
      </div>
    </>
  );
}

/** The part of the form that holds a value. */
function partOf(path: string): string {
  const [first = ''] = path.split('.');
  return PARTS.some(({ name }) => name === first) ? first : 'lab';
}

type BibtexProps = {
  text: string;
  problems: readonly ContentProblem[];
  onChange: (text: string) => void;
};

function BibtexField({ text, problems, onChange }: BibtexProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        BibTeX
      </label>
      <p className="text-sm text-ink-soft">
        Zotero, JabRef, 출판사에서 내보낸 그대로 붙여넣으세요. selected = {'{true}'}인 논문이 소개에 보이고,
        pdf와 code에는 주소를 씁니다.
      </p>
      <DoiField onFound={(entry) => onChange(`${text.trimEnd()}\n\n${entry}\n`.trimStart())} />
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
      <ul id={`${id}-problems`} aria-live="polite" className="mt-2 space-y-1 text-sm text-danger">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path.split('.')[1]}행: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Looks a paper up and adds its BibTeX below the others. */
function DoiField({ onFound }: { onFound: (bibtex: string) => void }) {
  const [doi, setDoi] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const look = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      onFound(await bibtexOf(doi));
      setDoi('');
      showToast('논문을 추가했습니다');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.details?.message ?? '서버에 연결할 수 없습니다');
    } finally {
      setBusy(false);
    }
  };
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
