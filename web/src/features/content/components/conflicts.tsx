import type { Content } from '#contract/content';
import { Button } from '../../../components/ui/button.tsx';
import { withoutEntry, type MergeQuestion } from '../merge.ts';
import { fieldPathText } from '../form-parts.ts';
import { DifferenceList } from './versions.tsx';
import type { MergeReport } from '../use-content-draft.ts';

type Props = {
  met: MergeReport;
  draft: Content;
  onChange: (edit: (before: Content) => Content) => void;
  onDone: (met: MergeReport | undefined) => void;
};

const DELETED = {
  me: '내가 삭제하는 사이에 다른 사람이 고쳤습니다.',
  other: '내가 고치는 사이에 다른 사람이 삭제했습니다.',
};

/** Lists another user's changes. Asks about an entry that one user deleted and the other changed. */
export function Conflicts({ met, draft, onChange, onDone }: Props) {
  const { taken, lost, asked, before } = met;
  const answer = (question: MergeQuestion, isDeleted: boolean) => {
    if (isDeleted) onChange((before) => withoutEntry(before, question));
    const others = asked.filter((each) => each !== question);
    onDone({ ...met, asked: others });
  };
  return (
    <section
      aria-label="다른 사람의 변경"
      aria-live="polite"
      className="mt-3 rounded-md bg-notice-wash px-4 py-3 text-notice"
    >
      <p>
        다른 사람이 그 사이에 저장한 변경을 합쳤습니다.{' '}
        {lost.length > 0 && '같은 곳을 고친 글은 내 글이 남았습니다. 상대방이 쓴 글:'}
      </p>
      {taken.length > 0 && (
        <details>
          <summary className="min-h-8 cursor-pointer">내 화면에서 바뀐 곳 {taken.length}</summary>
          <DifferenceList found={taken} before={before} after={draft} />
        </details>
      )}
      <ul className="mt-1 space-y-1 text-sm">
        {lost.map(({ path, after }) => (
          <li key={path} className="wrap-anywhere">
            {fieldPathText(path, draft)}: {after === '' ? '(지움)' : after}
          </li>
        ))}
        {asked.map((question) => (
          <li key={question.path} className="flex flex-wrap items-center gap-2 wrap-anywhere">
            <span>{`${fieldPathText(question.path, draft)}: ${DELETED[question.deletedBy]}`}</span>
            <Button variant="destructive" size="sm" onClick={() => answer(question, true)}>
              삭제
            </Button>
            <Button variant="outline" size="sm" onClick={() => answer(question, false)}>
              남기기
            </Button>
          </li>
        ))}
      </ul>
      {asked.length === 0 && (
        <Button variant="outline" size="sm" className="mt-2" onClick={() => onDone(undefined)}>
          확인
        </Button>
      )}
    </section>
  );
}
