import type { Content, ContentState } from '#contract/content';
import { contentProblems } from '#content/publication-rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { contentVersionQuery, contentVersionsQuery } from '../queries.ts';
import { withEntryIds } from '../entries.ts';
import { findDifferences, type Difference } from '../differences.ts';
import { fieldPathText } from '../form-parts.ts';

type Props = {
  state: ContentState;
  isBusy: boolean;
  onRestore: (version: number) => void;
};

/** Lists the published versions: date, author, differences from the current version, and a restore button. */
export function PublishedVersions({ state, isBusy, onRestore }: Props) {
  const { data, isPending, refetch } = useQuery(contentVersionsQuery);
  const [compared, setCompared] = useState<number>();
  const [asked, setAsked] = useState<{ version: number; from: HTMLElement }>();
  const { publishedVersion } = state;
  if (isPending) return <LoadingPart rows={4} />;
  if (!data) return <FailedPart text="내용을 불러오지 못했습니다" onRetry={() => void refetch()} />;
  return (
    <>
      {asked && (
        <RestoreDialog
          {...asked}
          state={state}
          onClose={() => setAsked(undefined)}
          onRestore={() => onRestore(asked.version)}
        />
      )}
      <ol className="divide-y divide-line border-y border-line">
        {data.map(({ version, at, by }) => (
          <li key={version} className="py-2">
            <div className="flex flex-wrap items-center gap-2">
              <p className="grow">
                <span className="font-semibold tabular-nums">{nameOf(version)}</span>{' '}
                {at === null
                  ? '설치할 때의 내용'
                  : `${seoulDateTime(Date.parse(at))} · ${by ?? '삭제된 사용자'}`}
                {version === publishedVersion && <span className="ml-2 text-accent">지금 보이는 내용</span>}
              </p>
              {version !== publishedVersion && (
                <>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-expanded={compared === version}
                    onClick={() => setCompared(compared === version ? undefined : version)}
                  >
                    비교
                  </Button>
                  <Button
                    variant="outline"
                    size="sm"
                    aria-disabled={isBusy}
                    onClick={({ currentTarget: from }) => !isBusy && setAsked({ version, from })}
                  >
                    이 내용으로 되돌리기
                  </Button>
                </>
              )}
            </div>
            {compared === version && <Compared version={version} other={state.published} />}
          </li>
        ))}
      </ol>
    </>
  );
}

const nameOf = (version: number) => (version === 0 ? '처음' : `${version}번`);

type DialogProps = {
  version: number;
  from: HTMLElement;
  state: ContentState;
  onClose: () => void;
  onRestore: () => void;
};

/** Asks before a version is restored. A version with errors becomes the draft and is not published. */
function RestoreDialog({ version, from, state: { draft, published }, onClose, onRestore }: DialogProps) {
  const { data } = useQuery(contentVersionQuery(version));
  const isWhole = !data || contentProblems(data).length === 0;
  return (
    <ConfirmDialog
      title={`${nameOf(version)} 내용을 ${isWhole ? '방문자에게 바로 보일까요' : '임시 저장본으로 가져올까요'}?`}
      submitLabel={isWhole ? '게시' : '가져오기'}
      isHeld={!data}
      returnFocusTo={from}
      onClose={onClose}
      onSubmit={onRestore}
    >
      <p>
        {isWhole
          ? '지금 보이는 내용은 버전 목록에 남고, 게시하지 않은 변경은 그대로 남습니다.'
          : '비어 있는 곳이 있어 그대로 게시할 수 없습니다. 게시하지 않은 변경은 되돌리기로 다시 볼 수 있습니다.'}
      </p>
      <Compared version={version} other={isWhole ? published : draft} isRestored />
    </ConfirmDialog>
  );
}

type ComparedProps = { version: number; other: Content; isRestored?: boolean };

/** Shows the changes from a version to `other`, or with `isRestored` from `other` to the version. */
function Compared({ version, other, isRestored = false }: ComparedProps) {
  const { data, isPending, refetch } = useQuery(contentVersionQuery(version));
  if (isPending) return <LoadingPart rows={4} />;
  if (!data) return <FailedPart text="내용을 불러오지 못했습니다" onRetry={() => void refetch()} />;
  const [before, after] = isRestored ? [other, data] : [data, other];
  return <Differences isShort={isRestored} before={before} after={after} />;
}

const KINDS = { changed: '', added: ' 추가', removed: ' 삭제', order: ' 순서 바뀜' };

type DifferencesProps = { before: Content; after: Content; isShort?: boolean };

/** Shows each value that differs between two contents: first the earlier value, then the later value. */
export function Differences({ before: given, after, isShort = false }: DifferencesProps) {
  const before = withEntryIds(given, after);
  const found = findDifferences(before, after);
  if (found.length === 0) return <p className="text-sm text-ink-soft">차이가 없습니다.</p>;
  return (
    <div className={isShort ? 'max-h-80 overflow-y-auto' : ''}>
      <DifferenceList found={found} before={before} after={after} />
    </div>
  );
}

type ListProps = { found: readonly Difference[]; before: Content; after: Content };

export function DifferenceList({ found, before, after }: ListProps) {
  // Only the earlier version has the name of a removed entry.
  const place = ({ path, kind }: Difference) =>
    `${fieldPathText(path, kind === 'removed' ? before : after)}${KINDS[kind]}`;
  return (
    <dl className="mt-2 space-y-2 text-sm text-ink">
      {found.map((each) => (
        <div key={`${each.path} ${each.kind}`}>
          <dt className="font-semibold wrap-anywhere">{place(each)}</dt>
          {each.before !== '' && (
            <dd className="wrap-anywhere text-ink-soft line-through decoration-danger">{each.before}</dd>
          )}
          {each.after !== '' && <dd className="wrap-anywhere whitespace-pre-line">{each.after}</dd>}
        </div>
      ))}
    </dl>
  );
}
