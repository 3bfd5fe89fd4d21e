import { findPictureOwner, type UploadResult } from '#contract/pictures';
import type { Database } from '#db/client';
import type { Actor } from '../lib/app-env.ts';
import { listRosterIds, storePicture } from './data.ts';
import { parsePicture } from '../lib/images/image.ts';

type Outcome = { name: string } & ({ studentId: string } | { reason: string; isImage: boolean });

/** Stores files that are pictures of exactly one student, one by one, so at most two are in memory. */
export async function storeImages(
  db: Database,
  files: R2Bucket,
  by: Actor,
  images: File[],
): Promise<UploadResult & { isAnyImage: boolean }> {
  const roster = await listRosterIds(db);
  const outcomes: Outcome[] = [];
  const taken = new Set<string>();
  // In reverse order, because the last of a student's pictures is stored and the others are rejected.
  for (const image of images.toReversed()) {
    const { name } = image;
    const picture = parsePicture(await image.bytes());
    if ('reason' in picture) {
      outcomes.push({ name, ...picture });
      continue;
    }
    const owner = ownerOf(name, roster);
    if (owner.studentId === undefined) outcomes.push({ name, reason: owner.reason, isImage: true });
    else if (taken.has(owner.studentId))
      outcomes.push({ name, reason: '같은 학생의 다른 파일을 저장합니다', isImage: true });
    else if (await storePicture(db, files, by, owner.studentId, picture)) {
      taken.add(owner.studentId);
      outcomes.push({ name, studentId: owner.studentId });
    } else outcomes.push({ name, reason: '명단에 없는 학생입니다', isImage: true });
  }
  const inOrder = outcomes.toReversed();
  return {
    stored: inOrder.flatMap((each) =>
      'studentId' in each ? [{ name: each.name, studentId: each.studentId }] : [],
    ),
    rejected: inOrder.flatMap((each) => ('reason' in each ? [{ name: each.name, reason: each.reason }] : [])),
    isAnyImage: outcomes.some((each) => 'studentId' in each || each.isImage),
  };
}

type Owner = { studentId: string } | { studentId?: never; reason: string };

function ownerOf(name: string, roster: ReadonlySet<string>): Owner {
  if (/[/\\\0]/.test(name)) return { reason: '파일 이름에 폴더 이름이 들어 있습니다' };
  const owner = findPictureOwner(name, roster);
  if (owner.kind === 'one') return owner;
  if (owner.kind === 'several') return { reason: '파일 이름에 학번이 둘 이상 있습니다' };
  if (owner.kind === 'none') return { reason: '파일 이름에 명단의 학번이 없습니다' };
  return {
    reason: `파일 이름의 숫자가 찍은 날짜나 시각일 수 있습니다: ${owner.studentId}. 학번만 남기고 이름을 바꾸세요`,
  };
}
