import type { Student } from '#contract/students';
import { useState } from 'react';

/** A student's picture, at most 150 px, or a placeholder. */
export function StudentPicture({
  student,
  isEager = false,
}: {
  student: Pick<Student, 'id' | 'name' | 'picture'>;
  /** Whether to load the picture before the user scrolls to it, because printing does not scroll. */
  isEager?: boolean;
}) {
  const [failed, setFailed] = useState<string>();
  const box = 'h-[150px] w-[120px] max-w-full shrink-0 rounded-md border border-line bg-sunken';
  if (!student.picture || failed === student.id) {
    return (
      <span className={`${box} block`}>
        <span className="sr-only">사진 없음</span>
        <svg
          aria-hidden
          viewBox="0 0 120 150"
          className="size-full text-line-strong"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        >
          <circle cx="60" cy="58" r="24" />
          <path d="M18 138c3-27 20-42 42-42s39 15 42 42" strokeLinecap="round" />
        </svg>
      </span>
    );
  }
  return (
    <img
      src={pictureUrl(student)}
      alt={`${student.name} 사진`}
      width={120}
      height={150}
      loading={isEager ? 'eager' : 'lazy'}
      onError={() => setFailed(student.id)}
      className={`${box} object-cover`}
    />
  );
}

let uploads = 0;

/** Changes the picture URLs after an upload, because a browser does not load a displayed URL again. */
export function refreshPictures(): void {
  uploads += 1;
}

function pictureUrl({ id, name }: { id: string; name: string }): string {
  const query = new URLSearchParams({ name, ...(uploads > 0 && { v: String(uploads) }) });
  return `/api/students/pictures/${encodeURIComponent(id)}?${query}`;
}
