import { describe, expect, test } from 'vitest';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { dismissToast } from '../support/toast.ts';

describe.skipIf(!hasBrowser)('getting about', () => {
  const stack = sharedStack('demo');

  test('NAV-10 NAV-12 a bar leads to every screen and counts what waits there; phones have the drawer', async () => {
    const db = openLocalD1(stack.dataDir);
    db.exec(
      "UPDATE users SET univ_id = '20241234', univ_id_verified_at = NULL WHERE email = 'guest@lab.test'",
    );
    const { unconfirmed } = Object(
      db
        .prepare(
          'SELECT count(*) AS unconfirmed FROM users WHERE univ_id IS NOT NULL AND univ_id_verified_at IS NULL',
        )
        .get(),
    );
    db.close();
    const { page, problems } = await visit(stack, { as: 'admin@lab.test', at: '/manage_users' });
    const bar = page.getByRole('navigation', { name: '관리 화면' });
    const users = bar.getByRole('link', { name: `사용자 관리 미확인 학번/직번 ${unconfirmed}개` });
    await users.waitFor();
    await expect.poll(() => bar.locator('[aria-current=page]').innerText()).toContain('사용자 관리');
    await expect.poll(() => bar.getByRole('list', { name: '화분' }).getByRole('link').count()).toBe(1);
    const row = page.getByRole('row', { name: /guest@lab\.test/ });
    await row.getByRole('button', { name: /확인$/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: '확인' }).click();
    await dismissToast(page, '변경 완료');
    await users.waitFor({ state: 'detached' });

    // By keyboard past the bar, and through it.
    await page.goto('/settings');
    await bar.getByRole('link', { name: '시스템 상태' }).waitFor();
    await page.getByRole('link', { name: '본문으로 건너뛰기' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
    await bar.getByRole('link', { name: '과목 목록' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: '과목 목록' }).waitFor();
    await expect.poll(() => bar.locator('[aria-current=page]').innerText()).toBe('과목 목록');

    // The main part begins where the bar ends, also before the bar is there.
    const left = () =>
      page.getByRole('main').evaluate((main) => Number.parseFloat(getComputedStyle(main).paddingLeft));
    await expect.poll(left).toBe((await bar.boundingBox())?.width);
    // Folded it leaves its room to the screen, also after a reload; the button is the only one at that place.
    await page.getByRole('button', { name: '사이드바 접기' }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '과목 목록' }).waitFor();
    await expect.poll(async () => [await bar.isVisible(), await left()]).toEqual([false, 0]);
    await expect.poll(() => page.getByRole('button', { name: '메뉴 열기' }).count()).toBe(0);
    await page.getByRole('button', { name: '사이드바 펼치기' }).click();
    await bar.waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(async () => [await bar.isVisible(), await left()]).toEqual([false, 0]);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1023, height: 800 });
    await expect.poll(async () => [await bar.isVisible(), await left()]).toEqual([false, 0]);
    expect(problems).toEqual([]);
  });

  test('NAV-15 the settings page says how each screen stands, and leads to what waits in one click', async () => {
    const db = openLocalD1(stack.dataDir);
    db.exec("UPDATE users SET univ_id_verified_at = NULL WHERE email = 'member@lab.test'");
    db.close();
    const { page, problems } = await visit(stack, { as: 'admin@lab.test', at: '/settings' });
    const tile = (name: string) =>
      page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name, exact: true }) });
    await tile('랩비 관리')
      .getByText(/^현재 잔액 [\d,]+원$/)
      .waitFor();
    await tile('학생 관리')
      .getByText(/^학생 \d+명$/)
      .waitFor();
    await tile('강의 관리')
      .getByText(/학기 강의 \d+개/)
      .waitFor();
    await tile('시스템 상태').getByText('백업 기록 없음').waitFor();
    await tile('사용자 관리')
      .getByRole('link', { name: /^미확인 학번\/직번 \d+개$/ })
      .click();
    await page.getByRole('heading', { level: 1, name: '사용자 관리' }).waitFor();
    // Nothing is told of what one may not open.
    const { page: account } = await visit(stack, { as: 'account@lab.test', at: '/settings' });
    await account.getByText(/^현재 잔액 [\d,]+원$/).waitFor();
    await expect.poll(() => account.getByRole('main').getByRole('listitem').count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test('NAV-11 Ctrl+K opens a student by 초성; names are read once, and what was typed is written nowhere', async () => {
    const db = openLocalD1(stack.dataDir);
    db.exec("INSERT INTO students (id, name, department) VALUES ('209912345', '갈매빛나래', '물리학과')");
    const reads = () =>
      Number(
        Object(
          db
            .prepare("SELECT count(*) AS n FROM access_log WHERE action = 'read' AND subject = 'student'")
            .get(),
        ).n,
      );
    const before = reads();
    const { page, problems } = await visit(stack, {
      as: 'admin@lab.test',
      at: '/manage_courses',
      viewport: { width: 390, height: 800 },
    });
    const button = page.getByRole('button', { name: '찾기' });
    await button.click();
    const field = page.getByRole('combobox', { name: '찾을 이름이나 번호' });
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.press('Control+k');
    const options = page.getByRole('option');
    await options.filter({ hasText: '성적 관리' }).waitFor();
    expect(reads()).toBe(before);
    await field.pressSequentially('ㄱㅁㅂㄴㄹ');
    const student = options.filter({ hasText: '갈매빛나래' });
    await student.waitFor();
    await expect.poll(() => student.getAttribute('aria-selected')).toBe('true');
    await expect
      .poll(() => field.getAttribute('aria-activedescendant'))
      .toBe(await student.getAttribute('id'));
    await field.fill('갈매');
    await student.waitFor();
    expect(reads()).toBe(before + 1);
    await page.keyboard.press('Enter');
    const card = page.getByRole('dialog', { name: /갈매빛나래/ });
    await card.getByText('209912345').waitFor();
    expect(page.url()).not.toContain('209912345');
    await card.getByRole('button', { name: '닫기' }).click();

    await page.keyboard.press('Control+k');
    await field.fill('rosemary');
    await options.filter({ hasText: 'rosemary' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/manage_plants\?plants=/);
    const words = db.prepare("SELECT count(*) AS n FROM access_log WHERE detail LIKE '%갈매%'").get();
    expect(words).toEqual({ n: 0 });
    db.close();
    expect(problems).toEqual([]);
  });

  test('NAV-11 whoever may not read names finds the own screens, and asks for no names', async () => {
    const { page } = await visit(stack, { as: 'account@lab.test', at: '/manage_account' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: '찾기' }).click();
    await page.getByRole('combobox', { name: '찾을 이름이나 번호' }).fill('정보');
    // It is in the list before that is narrowed too.
    const own = page.getByRole('option', { name: '내 정보' });
    await expect.poll(() => own.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '사용자 정보 수정' }).waitFor();
    expect(asked.filter((path) => /api\/(find|awaiting)/.test(path))).toEqual([]);
  });
});
