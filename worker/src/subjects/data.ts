import type { Department, Subject, SubjectSemester } from '#contract/subjects';
import { statement, type Database } from '#db/client';
import { fields, joined, jsonParts, jsonRows, type Part } from '#db/json';
import { subjects } from '#db/roster';
import { insertFrom, jsonObject } from '#db/sql';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';

type Term = { dept: Department; year: number; semester: SubjectSemester };

const { department: _, year: __, semester: ___, grade, ...named } = getTableColumns(subjects);
/** The column behind each field of the API. */
const columns = { ...named, year: grade } satisfies Record<keyof Subject, unknown>;

/** The term's subjects as JSON text of one object, keyed by id. */
export async function readTerm(db: Database, term: Term): Promise<string> {
  return `{${joined(await selectTerm(db, term))}}`;
}

/** Replaces the term's subjects and returns them as `readTerm` does. */
export async function replaceTerm(db: Database, term: Term, list: Subject[]): Promise<string> {
  const { dept, year, semester } = term;
  const { year: ofStudents, ...pasted } = fields(columns);
  const row = { ...pasted, grade: ofStudents, department: dept, year, semester };
  const [, , parts] = await db.batch([
    db.delete(subjects).where(inTerm(term)),
    statement(db, insertFrom(subjects, row, sql`FROM ${jsonRows(list)}`)),
    selectTerm(db, term),
  ]);
  return `{${joined(parts)}}`;
}

const inTerm = ({ dept, year, semester }: Term) =>
  and(eq(subjects.department, dept), eq(subjects.year, year), eq(subjects.semester, semester));

function selectTerm(db: Database, term: Term) {
  const member = sql`json_quote(${subjects.id}) || ':' || ${jsonObject(columns)}`;
  const from = sql`FROM ${subjects} WHERE ${inTerm(term)}`;
  return statement<Part>(db, jsonParts(member, from, sql`${subjects.id}`));
}
