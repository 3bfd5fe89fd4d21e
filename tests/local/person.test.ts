import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { tableNames } from '../../scripts/backup/archive.ts';
import { quoteId } from '../../scripts/backup/cells.ts';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { personCommand } from '../../scripts/operator/person.ts';
import { change, store } from '../support/both-databases.ts';
import { someOrAll } from '../support/counts.ts';
import { runCommand } from '../support/run-command.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { type } from '../support/shell.ts';
import { credential, login } from '../support/sign-in.ts';

const stack = sharedStack('empty');

describe('one person', () => {
  const leaver = { email: 'leaver@univ.test', name: '떠나는솔', number: '209900123', tel: '010-5555-0123' };
  const person = (...args: string[]) => runCommand(personCommand, args, { DATA_DIR: stack.dataDir });
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-person-'));
  afterAll(() => rmSync(place, { recursive: true }));

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAYAAADN5B7xAAAA30lEQVR4ATSQIQsCQRCF9/a43V9kUIOIgsELgmizCRbBZLCITbAINsFiNlqN/qmdCeOb2TUMj5md971h/bfTk093JO9+K6/BQp7DldzHG7lOdnKeHuTYnmQ/u8h2fpP18iGefXBUoaAJyj665BvH6KlqHNXRkfVZPelDHfIQasu2pDOtBubokpoBywaQCY0OWQH2GAAJeVkTACMoDCCUhkFOaijF0AzBOQYNDoZocYwEvZmxRKXUzAVGpmbQBJgQ9180E85S1Y8ggwWcBwNbA1OhEjSTY/4tIzdOE/S8HwAAAP//xSCFRgAAAAZJREFUAwA2BG/iyEqQ8wAAAABJRU5ErkJggg==',
    'base64',
  );

  /** Creates a person with data in every part: as a user, as a student, in the ledger. */
  async function arrive(): Promise<void> {
    const { origin } = stack;
    const { cookie } = await login(origin, await credential(origin, 'admin@lab.test'));
    const send = (path: string, method: string, body: unknown) =>
      fetch(`${origin}/api${path}`, {
        method,
        headers: { cookie, ...(!(body instanceof FormData) && { 'content-type': 'application/json' }) },
        body: body instanceof FormData ? body : JSON.stringify(body),
      });
    const { email, name, number: id, tel } = leaver;
    const row = { no: 1, id, name, department: '컴퓨터공학부', year: 3, type: '재학', tel, email };
    const roster = { year: 2026, semester: 1, subject: '운영체제', data: [row] };
    expect((await send('/students/', 'POST', roster)).status).toBe(201);
    const picture = new FormData();
    picture.append('images', new Blob([png], { type: 'image/png' }), `${id}.png`);
    expect((await send('/upload', 'POST', picture)).status).toBe(200);
    const own = await login(origin, await credential(origin, email, { name }));
    const profile = await fetch(`${origin}/api/login/${own.user.id}`, {
      method: 'PUT',
      headers: { cookie: own.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name, email, univId: id }),
    });
    expect(profile.status).toBe(200);
    expect((await send(`/users/${own.user.id}`, 'PUT', { secureLevel: 5 })).status).toBe(200);
    const entry = { amount: 50_000, datetime: '2026-03-04T13:00:00', description: `회비 ${name}` };
    const added = z.object({ id: z.int() }).parse(await (await send('/account', 'POST', entry)).json());
    const payment = { user_id: own.user.id, entry_id: added.id };
    expect((await send('/account/dues/2026/1', 'PUT', payment)).status).toBe(200);
  }

  /** Where these texts are stored: `table.column`, once for each row. */
  function placesOf(words: string[]): string[] {
    const db = openLocalD1(stack.dataDir, { readOnly: true });
    try {
      return tableNames(db).flatMap((table) => {
        const select = db.prepare(`SELECT * FROM ${quoteId(table)}`);
        // A reading without a seq has a number that is too large for JavaScript.
        select.setReadBigInts(true);
        return select
          .all()
          .flatMap((row) => Object.entries(row))
          .filter(([, value]) => words.some((word) => String(value).includes(word)))
          .map(([column]) => `${table}.${column}`);
      });
    } finally {
      db.close();
    }
  }

  test('OPS-4 is exported whole and erased from everywhere but where the law and the books need them', async () => {
    await arrive();
    const { email, name, number, tel } = leaver;
    expect(await person('export', email)).toMatchObject({
      status: 64,
      output: expect.stringContaining('export needs --reason <text>\nusage:'),
    });
    for (const reason of ['열', ' 열 ', '열'.repeat(201)]) {
      expect(await person('export', email, '--reason', reason)).toMatchObject({
        status: 64,
        output: expect.stringContaining('--reason needs 2 to 200 characters\n'),
      });
    }
    const exported = await person('export', email, '--reason', '본인 열람 요청', '--to', place);
    expect(exported.status, exported.output).toBe(0);
    const file = exported.output.split('\n').at(-1) ?? '';
    const again = await person('export', email, '--reason', '본인 열람 요청', '--to', place);
    expect(again.output.split('\n').at(-1)).toBe(file.replace('.json', '-2.json'));
    expect(statSync(file).mode & 0o077).toBe(0);
    const held: unknown = JSON.parse(readFileSync(file, 'utf8'));
    expect(held).toMatchObject({
      users: [{ email, name, univ_id: number, secure_level: 5 }],
      students: [{ id: number, name, tel, email }],
      enrolments: [{ year: 2026, semester: 1, subject: '운영체제' }],
      pictures: [{ content_type: 'image/png' }],
      sessions: [{ user_agent: expect.any(String) }],
      dues: [{ year: 2026, semester: 1, name }],
      ledger_entries: [{ amount: 50_000, description: `회비 ${name}` }],
      files: [
        {
          key: expect.stringMatching(new RegExp(`^pictures/${number}/[0-9a-f-]{36}$`)),
          type: 'image/png',
          base64: expect.stringMatching(/^iVBOR/),
        },
      ],
    });
    expect(readFileSync(file, 'utf8')).toContain('본인 열람 요청');
    expect(readFileSync(file, 'utf8')).not.toContain('token_hash');

    const before = placesOf([email, name, number, tel]).length;
    const confirmation = (output: string) =>
      /^npm run person -- erase (--confirm=\S+) /m.exec(output)?.[1] ?? '';
    const asked = await person('erase', number);
    for (const { status, output } of [asked, await person('erase', email, `--confirm=student-${number}`)]) {
      expect({ status, asks: confirmation(output) }).toEqual({
        status: 1,
        asks: expect.stringMatching(new RegExp(`^--confirm=user-\\d+\\+student-${number}$`)),
      });
      expect(output).toMatch(/^enrolments: 1 removed$/m);
    }
    expect(placesOf([email, name, number, tel])).toHaveLength(before);

    const erased = await person('erase', number, confirmation(asked.output));
    expect(erased.status, erased.output).toBe(0);
    expect(erased.output).toMatch(/^users: 1 removed$/m);
    expect(erased.output).toMatch(/^dues: 1 kept without the name$/m);
    expect(erased.output).toMatch(/^access_log: \d+ kept: the law/m);
    expect(erased.output).toMatch(/^ledger_entries: 1 \(entry \d+\) kept: the books/m);
    expect(placesOf([email, tel])).toEqual([]);
    // Only descriptions in the ledger, and the student numbers that the access log is about.
    expect(new Set(placesOf([name]))).toEqual(new Set(['ledger_entries.description']));
    expect(new Set(placesOf([number]))).toEqual(new Set(['access_log.subject_id']));
    expect(await person('erase', number)).toMatchObject({
      status: 1,
      output: expect.stringContaining('nobody has that address'),
    });
    const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
    const picture = await fetch(`${stack.origin}/api/students/pictures/${number}`, { headers: { cookie } });
    expect(picture.status).toBe(404);
    const dues = await fetch(`${stack.origin}/api/account/dues/2026/1`, { headers: { cookie } });
    expect(await dues.text()).toContain('삭제된 사용자');
  });

  test('OPS-4 an export holds nobody else: a name within another, a number within a number, an address within an address', async () => {
    change(
      stack.dataDir,
      `INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES
    (801, 'kim', 'kim@univ.test', '김민', 5, 1), (802, 'kimsu', 'akim@univ.test', '김민수', 5, 1);
    INSERT INTO students (id, name, email) VALUES ('20995555', '김민', 'kim@univ.test'), ('209955551', '김민수', 'akim@univ.test');
    INSERT INTO ledger_entries (id, amount, datetime, description) VALUES
      (8001, 1, '2026-03-02T13:00:00', '회비'), (8002, 2, '2026-03-02T13:00:00', '김민수 회비'), (8003, 3, '2026-03-02T13:00:00', '김민 간식'),
      (8004, 4, '2026-03-02T13:00:00', '둘이서'), (8005, 5, '2026-03-02T13:00:00', '남의 것');
    INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at) VALUES
      ('${'1'.repeat(32)}', 8001, '영수증.pdf', 'application/pdf', 1, 1), ('${'2'.repeat(32)}', 8002, '김민수.pdf', 'application/pdf', 1, 1),
      ('${'3'.repeat(32)}', 8005, '${'김민.pdf'.normalize('NFD')}', 'application/pdf', 1, 1);
    INSERT INTO dues (id, year, semester, user_id, name, entry_id) VALUES
      (8001, 2026, 1, 801, '김민', 8001), (8002, 2026, 1, 802, '김민수', 8002), (8003, 2026, 2, 801, '김민', 8004),
      (8004, 2026, 2, 802, '김민수', 8004), (8005, 2026, 1, NULL, '김민', NULL);
    INSERT INTO access_log (id, at, address, action, subject, detail) VALUES
      (8001, 1, 'x', 'export', 'student', '{"ids":["20995555"]}'), (8002, 1, 'x', 'export', 'student', '{"ids":["209955551"]}'),
      (8003, 1, 'x', 'read', 'user', '{"email":"akim@univ.test"}'), (8004, 1, 'x', 'read', 'user', '{"words":"KIM@univ.test 20990000"}'),
      (8005, 1, 'x', 'create', 'ledger_entry', '{"amount":[null,20995555]}'), (8006, 1, 'x', 'read', 'user', '{"words":"209955551\\n20995555"}')`,
    );
    const exported = async (...more: string[]) => {
      const { status, output } = await person(
        'export',
        'kim@univ.test',
        '--reason',
        '열람',
        '--to',
        place,
        ...more,
      );
      if (status !== 0) return { output };
      const held: unknown = JSON.parse(readFileSync(output.split('\n').at(-1) ?? '', 'utf8'));
      const tables = z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).parse(held);
      const ids = (table: string, column = 'id') => tables[table]?.map((row) => row[column]);
      const details = ids('access_log', 'detail')?.map(String) ?? [];
      return {
        output,
        entries: ids('ledger_entries'),
        receipts: ids('receipts'),
        dues: ids('dues', 'name'),
        details,
      };
    };
    const first = await exported();
    expect(first).toMatchObject({ entries: [8001], receipts: ['1'.repeat(32)], dues: ['김민', '김민'] });
    expect(first.details?.filter((detail) => /2099|kim|KIM/.test(detail))).toEqual([
      '{"ids":["20995555"]}',
      '{"words":"KIM@univ.test 20990000"}',
      String.raw`{"words":"209955551\n20995555"}`,
    ]);
    expect(first.output).toContain('  ledger_entries:8002  part of a longer word: "김민수 회비"');
    expect(first.output).toContain('  ledger_entries:8003  a separate word: "김민 간식"');
    expect(first.output).toContain(`  receipts:${'2'.repeat(32)}  part of a longer word: "김민수.pdf"`);
    expect(first.output).toContain(`  receipts:${'3'.repeat(32)}  a separate word`);
    expect(first.output).toContain('  dues:8005  a separate word: "김민"');
    expect(first.output).not.toMatch(/dues:800[24]|ledger_entries:800[145]/);

    const chosen = await exported('--include', 'ledger_entries:8003', '--include', 'dues:8005');
    expect(chosen).toMatchObject({ entries: [8001, 8003], dues: ['김민', '김민', '김민'] });
    expect((await exported('--include', 'ledger_entries:8005')).output).toContain(
      'ledger_entries:8005 is not in the list of rows with the name',
    );
    expect((await person('erase', 'kim@univ.test')).output).toContain(
      '  ledger_entries:8002  part of a longer word',
    );
  });

  test.each<[name: string, word: string]>(
    someOrAll(3, [
      ['-rf', '-4711-'],
      ['--confirm', '----'],
      ['두\n줄\t과 탭', "o'neil$(id)`id`@univ.test"],
      ['홍길동'.normalize('NFD'), '-dash@univ.test'],
      ['"\\\'$HOME`!*\u{1B}[2J\u{202E}', '20990092'],
      [' ', '20990093'],
    ]),
  )('OPS-4 what erase prints can be pasted into a shell: the person %j, called by %s', async (name, word) => {
    const [id, email] = word.includes('@') ? ['20990094', word] : [word, ''];
    store(stack.dataDir, 'INSERT INTO students (id, name, email) VALUES (?, ?, ?)', id, name, email);
    const asked = await person('erase', '--', word);
    expect(asked.status, asked.output).toBe(1);
    expect(asked.output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u{202E}]/u);
    const line = asked.output.split('\n').at(-1) ?? '';
    expect(line).toContain(`--confirm=student-${id} `);
    const pasted = line.replace('npm run person --', String.raw`printf '%s\0'`);
    const words = (await type(pasted)).split('\0').slice(0, -1);
    const erased = await person(...words);
    expect(erased.status, erased.output).toBe(0);
    expect(erased.output).toMatch(/^students: 1 removed$/m);
  });

  test('OPS-4 is nobody else: a claimed number leads to nobody, an address of two students to none, the last admin stays', async () => {
    const { origin } = stack;
    const claimer = await login(origin, await credential(origin, 'claimer@univ.test', { name: '남의번호' }));
    await fetch(`${origin}/api/login/${claimer.user.id}`, {
      method: 'PUT',
      headers: { cookie: claimer.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: '남의번호', email: 'claimer@univ.test', univId: '209900777' }),
    });
    expect((await person('erase', '209900777')).output).toContain('nobody has that address');
    change(
      stack.dataDir,
      `INSERT INTO students (id, name, email) VALUES ('20990071', '하나', 'both@univ.test'),
                                                        ('20990072', '둘', 'both@univ.test')`,
    );
    expect((await person('erase', 'both@univ.test')).output).toContain(
      'several people match: student 20990071, student 20990072',
    );
    expect((await person('erase', '20990071')).output).toContain('--confirm=student-20990071 20990071');
    const admin = /--confirm=\S+/.exec((await person('erase', 'admin@lab.test')).output)?.[0] ?? '';
    expect((await person('erase', 'admin@lab.test', admin)).output).toBe(
      'refused: this is the last admin; make somebody else an admin first',
    );
    const wrong: [args: string[], problem: string][] = [
      [[], 'say what to do: export, erase or grant'],
      [['erase'], 'the person is missing'],
      [['erase', "x' OR 1=1 --"], 'is not an email address or student number'],
      [['show', 'a@b.test'], 'there is no command show: use export, erase or grant'],
      [['erase', 'a@b.test', '--reason', 'why'], '--reason is only for export'],
      [['export', 'a@b.test', '--confirm=x'], '--confirm is only for erase'],
    ];
    for (const [args, problem] of wrong) {
      const { status, output } = await person(...args);
      expect(status).toBe(64);
      expect(output).toContain(problem);
      expect(output).toContain('usage: npm run person');
    }
  });
});
