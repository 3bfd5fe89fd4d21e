import { normalizeText } from '#contract/printable-text';
import { type FormEvent, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { topicParticle } from '../../../lib/hangul.ts';
import { type SavedActions, type SavedState, CLASS_NAME_MAX } from './saved-classes.ts';

type Props = { kept: SavedState; keeping: SavedActions };
type KeepProps = Props & { isEmpty: boolean };

/** Shows whether this browser stores the class, and under which name. */
export function SaveClassPart({ kept: { name, isElsewhere, left }, keeping, isEmpty }: KeepProps) {
  /** The checkbox that asks whether to delete the stored class. */
  const [asking, setAsking] = useState<HTMLElement>();
  return (
    <>
      <label className="flex min-h-9 cursor-pointer items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={name !== undefined}
          onChange={({ target }) => {
            if (target.checked) keeping.keepAs();
            else if (isElsewhere) keeping.leave();
            else setAsking(target);
          }}
        />
        이 브라우저에 보관
      </label>
      <details className="text-sm text-ink-soft open:w-full">
        <summary className="cursor-pointer">보관 안내</summary>
        <p className="mt-1">
          보관하면 이름을 붙여 따로 두므로 다른 표를 붙여넣어도 남습니다. 보관하지 않아도 작업 중인 표 하나는
          임시 저장되어 돌아오면 다시 나오고, 다른 표를 붙여넣거나 지우면 없어집니다. 모두 이 브라우저에
          암호화되어 본인만 볼 수 있고, 로그아웃하거나 7일 동안 수정하지 않으면 삭제됩니다.
        </p>
      </details>
      {name !== undefined && <NameForm key={name} name={name} onRename={keeping.rename} />}
      {left && !isEmpty && (
        <div aria-live="polite" className="w-full rounded-md bg-notice-wash px-4 py-3 text-notice">
          <p>
            다른 강의로 보여 ‘{left.name}’{topicParticle(left.name)} 보관된 대로 두었고, 이 표는 임시 저장만
            합니다.
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={keeping.keepOn}>
              같은 강의이므로 이어서 보관
            </Button>
            <Button variant="outline" size="sm" onClick={() => keeping.keepAs()}>
              새 이름으로 보관
            </Button>
          </div>
        </div>
      )}
      {name === undefined && isElsewhere && !isEmpty && (
        <p role="alert" className="w-full rounded-md bg-notice-wash px-4 py-3 text-notice">
          다른 탭에서도 점수를 다루고 있어, 임시 저장된 것은 그 탭의 표입니다. 이 탭의 표를 남기려면 ‘이
          브라우저에 보관’을 체크하세요.
        </p>
      )}
      {name !== undefined && isElsewhere && (
        <div role="alert" className="w-full rounded-md bg-notice-wash px-4 py-3 text-notice">
          <p>
            ‘{name}’{topicParticle(name)} 다른 탭에서 보관하거나 바꾸었습니다. 이 탭의 내용은 보관하지 않고
            있습니다. 강의 이름을 바꾸면 따로 보관합니다.
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={() => keeping.resume(name)}>
              보관된 내용 열기
            </Button>
            <Button variant="outline" size="sm" onClick={keeping.overwrite}>
              이 탭의 내용으로 변경
            </Button>
          </div>
        </div>
      )}
      {asking && name !== undefined && (
        <ConfirmDialog
          title={`보관한 강의 ‘${name}’ 지우기`}
          submitLabel="지우기"
          isDestructive
          returnFocusTo={asking}
          onClose={() => setAsking(undefined)}
          onSubmit={() => keeping.forget(name)}
        >
          <p>지금 화면에 있는 표는 그대로 남습니다.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type NameProps = { name: string; onRename: (name: string) => boolean };

function NameForm({ name, onRename }: NameProps) {
  const [isTaken, setTaken] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const next = new FormData(event.currentTarget).get('name');
    const plain = typeof next === 'string' ? normalizeText(next) : '';
    if (plain !== '') setTaken(!onRename(plain));
  };
  return (
    <form onSubmit={submit} className="flex w-full flex-wrap items-end gap-2">
      <TextField
        className="w-full sm:w-80"
        label="강의 이름"
        name="name"
        defaultValue={name}
        maxLength={CLASS_NAME_MAX}
        autoComplete="off"
        required
        error={isTaken ? '같은 이름으로 보관한 강의가 있습니다. 다른 이름을 쓰세요.' : undefined}
      />
      <Button type="submit" variant="outline">
        이름 변경
      </Button>
    </form>
  );
}

/** The stored classes, each with a button to continue. */
export function SavedClasses({ kept: { names }, keeping }: Props) {
  const [asked, setAsked] = useState<{ name: string; from: HTMLElement }>();
  if (names.length === 0) return null;
  return (
    <section aria-label="보관한 강의">
      <h2 className="mb-2 font-bold">보관한 강의</h2>
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {names.map((name) => (
          <li key={name} className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="flex gap-2">
              <Button
                variant="outline"
                size="sm"
                aria-label={`${name} 이어서 하기`}
                onClick={() => {
                  keeping.resume(name);
                  document.getElementById('main')?.focus({ preventScroll: true });
                }}
              >
                이어서 하기
              </Button>
              <Button
                variant="destructive-ghost"
                size="sm"
                aria-label={`${name} 지우기`}
                onClick={(event) => setAsked({ name, from: event.currentTarget })}
              >
                지우기
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={`보관한 강의 ‘${asked.name}’ 지우기`}
          submitLabel="지우기"
          isDestructive
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => keeping.forget(asked.name)}
        >
          <p>되돌릴 수 없습니다.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
