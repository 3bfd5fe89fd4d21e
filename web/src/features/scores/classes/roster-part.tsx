import type { ClassKey } from '#contract/students';
import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../../../components/select-field.tsx';
import { classText, courseName, rememberClass } from '../../../lib/chosen-class.ts';
import { useLoginState } from '../../../lib/login-state.ts';
import { rosterCoursesQuery } from '../../../lib/roster.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { GradingNotice } from '../grading/graded-part.tsx';
import type { ChangeWork } from '../work.ts';
import { rosterMismatches, type RosterStudent } from './roster-match.ts';

const NONE = '';

type ChoiceProps = { roster: ClassKey | undefined; change: ChangeWork };

/** Chooses the class that the scores belong to, among the classes with a roster. */
export function RosterChoice({ roster, change }: ChoiceProps) {
  const { id: userId } = useLoginState();
  const { data: classes = [] } = useQuery(rosterCoursesQuery);
  const isListed = roster && classes.some((each) => classText(each) === classText(roster));
  const known: readonly ClassKey[] = roster && !isListed ? [roster, ...classes] : classes;
  return (
    <SelectField
      className="w-full sm:w-56"
      label="강의"
      isLabelHidden
      size="sm"
      options={[
        { value: NONE, label: '강의 선택 안 함' },
        ...known.map((each) => ({ value: classText(each), label: courseName(each) })),
      ]}
      value={roster ? classText(roster) : NONE}
      onChange={(value) => {
        const found = known.find((each) => classText(each) === value);
        const chosen = found && { year: found.year, semester: found.semester, subject: found.subject };
        if (chosen) rememberClass(userId, chosen, serverNow());
        change('강의 선택', (work) => ({ ...work, roster: chosen }));
      }}
    />
  );
}

const NAMED = 10;

type NoticeProps = { rows: Parameters<typeof rosterMismatches>[0]; students: readonly RosterStudent[] };

/** Lists students without a row, rows without a student on the roster, and rows with another name. */
export function RosterNotice({ rows, students }: NoticeProps) {
  const { missing, strangers, misnamed, away } = rosterMismatches(rows, students);
  const parts = [
    textOf('명단에 있으나 이 표에 없는 학생', missing),
    textOf(
      '명단에 없는 학생',
      strangers.map(({ row, id, name }) => ({ id, name: id || name ? name : `${row + 1}행` })),
    ),
    textOf(
      '학적상태가 휴학, 자퇴 등인 학생',
      away.map(({ id, name, type }) => ({ id, name: `${name}(${type})` })),
    ),
    textOf(
      '이름이 명단과 다른 학생',
      misnamed.map(({ row, known }) => ({ id: row.id, name: `${row.name}(명단: ${known.name})` })),
    ),
  ].filter((text) => text !== '');
  return parts.length === 0 ? null : <GradingNotice text={parts.join(' ')} />;
}

function textOf(what: string, who: readonly RosterStudent[]): string {
  if (who.length === 0) return '';
  const names = who.slice(0, NAMED).map(({ name, id }) => [name, id].filter(Boolean).join(' '));
  return `${what} ${who.length}명: ${names.join(', ')}${who.length > NAMED ? ' …' : ''}.`;
}
