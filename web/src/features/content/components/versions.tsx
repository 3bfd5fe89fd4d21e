import type { Content } from '#contract/content';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { versionQuery, versionsQuery } from '../queries.ts';
import { differences, type Difference } from '../differences.ts';
import { placeText } from '../place-text.ts';

type Props = {
  published: Content;
  publishedVersion: number;
  isBusy: boolean;
  onRestore: (version: number) => void;
};

/** The published versions: date, author, differences from the current one, and a button to restore. */
export function Versions({ published, publishedVersion, isBusy, onRestore }: Props) {
  const { data, isPending, refetch } = useQuery(versionsQuery);
  const [compared, setCompared] = useState<number>();
  const [asked, setAsked] = useState<{ version: number; from: HTMLElement }>();
  if (isPending) return <LoadingPart rows={4} />;
  if (!data) return <FailedPart text="내용을 불러오지 못했습니다" onRetry={() => void refetch()} />;
  return (
    <>
      {asked && (
        <ConfirmDialog
          title={`${nameOf(asked.version)} 내용을 방문자에게 바로 보일까요?`}
          submitLabel="게시"
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => onRestore(asked.version)}
        >
          <p>지금 보이는 내용은 버전 목록에 남고, 게시하지 않은 변경은 그대로 남습니다.</p>
        </ConfirmDialog>
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
            {compared === version && <Compared version={version} published={published} />}
          </li>
        ))}
      </ol>
    </>
  );
}

const nameOf = (version: number) => (version === 0 ? '처음' : `${version}번`);

function Compared({ version, published }: { version: number; published: Content }) {
  const { data } = useQuery(versionQuery(version));
  if (!data) return <LoadingPart rows={4} />;
  return <Differences before={data} after={published} />;
}

const KINDS = { changed: '', added: ' 추가', removed: ' 삭제', order: ' 순서 바뀜' };

/** The differing values, each with the earlier value first. */
export function Differences({ before, after }: { before: Content; after: Content }) {
  const found = differences(before, after);
  if (found.length === 0) return <p className="text-sm text-ink-soft">차이가 없습니다.</p>;
  // A removed entry is named as in the earlier version.
  const place = ({ path, kind }: Difference) =>
    `${placeText(path, kind === 'removed' ? before : after)}${KINDS[kind]}`;
  return (
    <dl className="mt-2 space-y-2 text-sm">
      {found.map((each) => (
        <div key={`${each.path} ${each.kind}`}>
          <dt className="font-semibold wrap-anywhere">{place(each)}</dt>
          {each.before !== '' && (
            <dd className="line-clamp-3 wrap-anywhere text-ink-soft line-through decoration-danger">
              {each.before}
            </dd>
          )}
          {each.after !== '' && <dd className="line-clamp-3 wrap-anywhere">{each.after}</dd>}
        </div>
      ))}
    </dl>
  );
}
