import type { Student } from '#contract/students';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useId, useMemo, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { matchPictures, type Match } from './picture-match.ts';
import { studentsQuery } from '../queries.ts';
import { useUpload } from './upload-flow.ts';
import { AlertDialog } from '../alert-dialog.tsx';
import { FaceRoster } from './face-roster.tsx';
import { MatchReport } from './match-report.tsx';
import { UploadProgress } from './upload-progress.tsx';

export function PicturesTab() {
  // A file may be of any student, whichever class is chosen.
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
  const { state, result, alert, closeAlert, start, goOn, cancel, reset } = useUpload();
  /** Positions of files whose doubtful match is right. */
  const [confirmed, setConfirmed] = useState<ReadonlySet<number>>(new Set());
  const matches = useMemo(() => matchPictures(files, students, confirmed), [files, students, confirmed]);
  const toSend = useMemo(() => matches.flatMap((match) => fileToSend(match)), [matches]);
  const confirm = useCallback((at: number, isRight: boolean) => {
    setConfirmed((before) => {
      const now = new Set(before);
      if (isRight) now.add(at);
      else now.delete(at);
      return now;
    });
  }, []);
  const isBusy = state.phase === 'uploading';
  const choose = (chosen: FileList | null) => {
    if (isBusy || !chosen || chosen.length === 0) return;
    reset();
    setConfirmed(new Set());
    setFiles([...chosen]);
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
          파일 이름에 학번이 있어야 합니다: 202600001.jpg, 홍길동_202600001.png
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
            // Allows the same files to be chosen again.
            event.currentTarget.value = '';
          }}
          className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
        />
      </div>
      {files.length > 0 && (
        <MatchReport matches={matches} onConfirm={confirm} isFixed={state.phase !== 'idle'} />
      )}
      {files.length > 0 && (
        <UploadProgress
          state={state}
          result={result}
          count={toSend.length}
          onStart={() => start(toSend)}
          onRetry={() => goOn(toSend)}
          onCancel={cancel}
          onClear={() => {
            reset();
            setFiles([]);
          }}
        />
      )}
      <LeaveGuard isBusy={isBusy} title="사진을 올리는 중입니다. 떠날까요?">
        <p>떠나면 아직 올리지 않은 사진은 저장되지 않습니다.</p>
      </LeaveGuard>
      {alert !== undefined && <AlertDialog text={alert} onClose={closeAlert} returnFocusTo={null} />}
    </div>
  );
}

/** Confirmed files are sent under the id alone, because the server rejects ambiguous names. */
function fileToSend(match: Match<File>): File[] {
  if (match.kind !== 'matched') return [];
  const { file, student, doubt } = match;
  const end = /\.[^.]*$/.exec(file.name)?.[0] ?? '';
  return [doubt === undefined ? file : new File([file], `${student.id}${end}`, { type: file.type })];
}
