import type { LogReport } from '#contract/log-reviews';
import { toCsv } from '../../lib/csv.ts';
import { seoulDateTime } from '../../lib/seoul-time.ts';
import {
  actorName,
  dayText,
  detailText,
  monthText,
  reviewStateText,
  subjectName,
  unusualAccessLabels,
  unusualAccessText,
} from './labels.ts';

/** Writes a month's report as a CSV file: the parts below each other, each with its own header. */
export function reviewCsv(report: LogReport): string {
  const { month, entries, actors, exports, restores, unusual, review } = report;
  const signed = review
    ? [
        [
          '점검',
          seoulDateTime(Date.parse(review.at)),
          actorName({ actor: review.reviewer, address: '' }),
          review.remark,
        ],
      ]
    : [['점검', reviewStateText(report)]];
  return toCsv([
    ['접속 기록 월별 점검', monthText(month), `${entries}건`],
    ...signed,
    ...restores.map((entry) => ['백업 복원', seoulDateTime(Date.parse(entry.at)), detailText(entry.detail)]),
    [],
    ['처리자', '조회', '등록·변경·삭제', '내보내기', '처리한 건수', '접속 IP 수'],
    ...actors.map((each) => [
      actorName({ actor: each.actor, address: each.address ?? '' }),
      each.reads,
      each.changes,
      each.exports,
      each.records,
      each.addresses,
    ]),
    [],
    ['내보낸 시각', '처리자', '접속 IP', '정보주체', '내용'],
    ...exports.map((entry) => [
      seoulDateTime(Date.parse(entry.at)),
      actorName(entry),
      entry.address,
      subjectName(entry),
      detailText(entry.detail),
    ]),
    [],
    ['날짜', '처리자', '종류', '내용'],
    ...unusual.map((each) => [
      dayText(each.day),
      actorName({ actor: each.actor, address: '' }),
      unusualAccessLabels[each.kind],
      unusualAccessText(each),
    ]),
  ]);
}
