import type { UploadResult } from '#contract/pictures';
import type { Student } from '#contract/students';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useId, useMemo, useState } from 'react';
import { AlertDialog, LeaveGuard } from '../../../components/confirm-dialog.tsx';
import { EmptyPart, FailedPart, LoadingPart, MissingPart } from '../../../components/part-state.tsx';
import { ReasonDialog } from '../../../components/reason-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { courseName } from '../../../lib/chosen-class.ts';
import { ClassChooser, useChosenStudents } from '../class-chooser.tsx';
import { studentsQuery } from '../../../lib/roster.ts';
import { exportListMutation } from '../queries.ts';
import { StudentPicture } from '../student-picture.tsx';
import { MatchReport } from './match-report.tsx';
import { matchPictures, type PictureMatch } from './picture-match.ts';
import { usePictureUpload, type UploadState } from './upload-flow.ts';

export function PicturesTab() {
  // All students, because a file may belong to any student, whichever class is chosen.
  const students = useQuery(studentsQuery('all'));
  if (!students.data)
    return <MissingPart of={students} text="학생을 불러오지 못했습니다." rows={4} className="h-9" />;
  return (
    <>
      <Upload students={students.data} />
      <FaceRoster />
    </>
  );
}

function Upload({ students }: { students: Student[] }) {
  const id = useId();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isOver, setIsOver] = useState(false);
  const { state, result, alert, closeAlert, start, goOn, cancel, reset } = usePictureUpload();
  /** Indexes of files whose doubtful match the user confirmed. */
  const [confirmed, setConfirmed] = useState<ReadonlySet<number>>(new Set());
  const [byHand, setByHand] = useState<ReadonlyMap<number, Student>>(new Map());
  /** Indexes of the files of finished uploads; `batch` has the files of the current upload. */
  const [earlier, setEarlier] = useState<ReadonlySet<number>>(new Set());
  const [batch, setBatch] = useState<readonly FileToSend[]>([]);
  const matches = useMemo(
    () => matchPictures(files, students, confirmed, byHand),
    [files, students, confirmed, byHand],
  );
  const isFixed = useCallback(
    (at: number) => earlier.has(at) || batch.some((each) => each.at === at),
    [earlier, batch],
  );
  const toSend = useMemo(
    () => matches.flatMap((match) => (isFixed(match.at) ? [] : fileToSend(match))),
    [matches, isFixed],
  );
  const assign = useCallback((at: number, student: Student | undefined) => {
    setByHand((before) => {
      const now = new Map(before);
      if (student) now.set(at, student);
      else now.delete(at);
      return now;
    });
  }, []);
  const confirm = useCallback((at: number, isRight: boolean) => {
    setConfirmed((before) => {
      const now = new Set(before);
      if (isRight) now.add(at);
      else now.delete(at);
      return now;
    });
  }, []);
  const isBusy = state.phase === 'uploading';
  const startAnew = (chosen: readonly File[]) => {
    reset();
    setConfirmed(new Set());
    setByHand(new Map());
    setEarlier(new Set());
    setBatch([]);
    setFiles(chosen);
  };
  const choose = (chosen: FileList | null) => {
    if (isBusy || !chosen || chosen.length === 0) return;
    startAnew([...chosen]);
  };
  return (
    <div className="print:hidden">
      <div
        className={`relative rounded-md border border-dashed px-5 py-8 text-center has-focus-visible:outline-2 has-focus-visible:outline-accent has-enabled:hover:border-accent ${isOver ? 'border-accent bg-accent-wash' : 'border-line-strong'} ${isBusy ? 'opacity-60' : ''}`}
      >
        <label htmlFor={id} className="font-semibold">
          사진을 고르거나 여기에 놓으세요
        </label>
        <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
          파일 이름에 학번이 있으면 그 학생과 연결합니다: 202600001.jpg, 홍길동_202600001.png
        </p>
        {/* Covers the whole area, because a native file input accepts dropped files too. */}
        <input
          id={id}
          type="file"
          accept="image/*"
          multiple
          disabled={isBusy}
          aria-describedby={`${id}-hint`}
          onDragEnter={() => setIsOver(true)}
          onDragLeave={() => setIsOver(false)}
          onDrop={() => setIsOver(false)}
          onChange={(event) => {
            choose(event.currentTarget.files);
            // Without this reset, choosing the same files again fires no event.
            event.currentTarget.value = '';
          }}
          className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
        />
      </div>
      {files.length > 0 && (
        <MatchReport {...{ matches, students, isFixed }} onConfirm={confirm} onAssign={assign} />
      )}
      {files.length > 0 && (
        <UploadProgress
          state={state}
          result={result}
          count={toSend.length}
          onStart={() => {
            setEarlier(new Set([...earlier, ...batch.map(({ at }) => at)]));
            setBatch(toSend);
            start(toSend.map(({ file }) => file));
          }}
          onRetry={() => goOn(batch.map(({ file }) => file))}
          onCancel={cancel}
          onClear={() => startAnew([])}
        />
      )}
      <LeaveGuard isBusy={isBusy} title="사진을 올리는 중입니다. 나갈까요?">
        <p>나가면 아직 올리지 않은 사진은 저장되지 않습니다.</p>
      </LeaveGuard>
      {alert !== undefined && <AlertDialog text={alert} onClose={closeAlert} returnFocusTo={null} />}
    </div>
  );
}

/** The server rejects ambiguous file names, so a confirmed file is renamed to the student's number. */
function fileToSend(match: PictureMatch<File>): FileToSend[] {
  if (match.kind !== 'matched') return [];
  const { at, file, student, doubt, isByHand } = match;
  const end = /\.[^.]*$/.exec(file.name)?.[0] ?? '';
  const isClear = doubt === undefined && !isByHand;
  return [{ at, file: isClear ? file : new File([file], `${student.id}${end}`, { type: file.type }) }];
}

type FileToSend = { at: number; file: File };

/** Shows the pictures of the chosen class. In print, the stylesheet hides everything else. */
function FaceRoster() {
  return (
    <section className="mt-12">
      <div className="mb-3 flex flex-wrap items-center gap-3 print:hidden">
        <h2 className="text-lg font-bold">사진 출석부</h2>
        <ClassChooser />
      </div>
      <Faces />
    </section>
  );
}

function Faces() {
  const { students, hasFailed, retry, chosen } = useChosenStudents();
  const [asked, setAsked] = useState<HTMLElement>();
  const { mutate: logPrint } = useMutation({ ...exportListMutation, onSuccess: () => print() });
  if (chosen === 'all') return <EmptyPart text="강의를 선택하면 그 강의의 사진 출석부가 나옵니다." />;
  if (!chosen || !students) {
    if (hasFailed) return <FailedPart text="명단을 불러오지 못했습니다." onRetry={retry} />;
    return <LoadingPart rows={3} className="h-24" />;
  }
  if (students.length === 0) return <EmptyPart text="이 강의의 명단이 없습니다." />;
  return (
    <div data-printed>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-bold">
          {courseName(chosen)} 출석부 <span className="tabular-nums">({students.length}명)</span>
        </h3>
        <Button
          variant="outline"
          size="sm"
          className="print:hidden"
          onClick={(event) => setAsked(event.currentTarget)}
        >
          인쇄
        </Button>
      </div>
      {asked && (
        <ReasonDialog
          title={`학생 ${students.length}명의 사진 출석부를 인쇄합니다`}
          submitLabel="인쇄"
          returnFocusTo={asked}
          onClose={() => setAsked(undefined)}
          onSubmit={(reason) =>
            logPrint({ way: 'print', rows: students, course: chosen, isSearch: false, reason })
          }
        />
      )}
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-4 print:grid-cols-5 print:gap-3">
        {students.map((student) => (
          <li
            key={student.id}
            // A class may have thousands of students, so pictures out of view are not laid out.
            className="break-inside-avoid text-sm leading-snug tabular-nums [contain-intrinsic-size:auto_14rem] [content-visibility:auto] print:[content-visibility:visible]"
          >
            <StudentPicture isEager student={student} />
            <strong className="mt-1 block font-semibold">
              {student.no}. {student.name}
            </strong>
            {student.id}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Props = {
  state: UploadState;
  result: UploadResult;
  /** Number of files to send. */
  count: number;
  onStart: () => void;
  onRetry: () => void;
  onCancel: () => void;
  onClear: () => void;
};

function UploadProgress({ state, result, count, onStart, onRetry, onCancel, onClear }: Props) {
  const { stored, rejected } = result;
  return (
    <section aria-label="업로드" data-phase={state.phase} className="mt-6 space-y-4">
      {state.phase === 'uploading' && (
        <div className="flex items-center gap-3">
          <progress
            aria-label="업로드 진행"
            value={state.percent}
            max={100}
            className="h-2 grow overflow-hidden rounded-sm"
          />
          <span className="w-12 text-right text-sm tabular-nums">{state.percent}%</span>
        </div>
      )}
      {state.phase !== 'idle' && (
        <p aria-live="polite" className={state.phase === 'failed' ? 'text-danger' : ''}>
          {state.phase === 'failed' ? `${state.message}.` : texts[state.phase]}{' '}
          {state.phase !== 'uploading' && `저장된 사진 ${stored.length}장.`}
        </p>
      )}
      {rejected.length > 0 && (
        <ul className="rounded-md border border-line px-4 py-3 text-sm">
          {rejected.map(({ name, reason }) => (
            <li key={name} className="wrap-anywhere">
              {name}: <span className="text-danger">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {(state.phase === 'idle' || (state.phase === 'done' && count > 0)) && (
          <Button disabled={count === 0} onClick={onStart}>
            사진 {count}장 업로드
          </Button>
        )}
        {state.phase === 'uploading' && (
          <Button variant="outline" onClick={onCancel}>
            취소
          </Button>
        )}
        {(state.phase === 'failed' || state.phase === 'cancelled') && (
          <Button onClick={onRetry}>다시 시도</Button>
        )}
        {state.phase !== 'uploading' && (
          <Button variant="outline" onClick={onClear}>
            비우기
          </Button>
        )}
      </div>
    </section>
  );
}

const texts = {
  uploading: '업로드하는 중입니다.',
  done: '업로드를 마쳤습니다.',
  cancelled: '업로드를 취소했습니다.',
} as const;
