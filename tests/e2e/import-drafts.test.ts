import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { storedDrafts } from '../support/stored-drafts.ts';
import { xlsx } from '../support/xlsx.ts';

const header = '순번,학번,성명,학과,학년,학적상태,연락처,이메일';
const rows = [
  '1,209900001,홍길동,컴퓨터공학과,3,재학,1012345678,gildong@univ.test',
  '2,209900002,김하늘,컴퓨터공학과,2,재학,010-0000-0002,haneul@univ.test',
];
const timetable = '학수번호\t과목명\t학년\t학점\n0101\t기계학습\t3\t3\n0102\t\t3\t3';

/** Drops a file as from the desktop; one of `size` has nothing in it. */
async function drop(page: Page, file: { name: string; text?: string; size?: number }, second?: string) {
  const { name, text = '', size } = file;
  const data = await page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File([file.size === undefined ? file.text : new Uint8Array(file.size)], file.name),
      );
      if (file.second !== undefined) transfer.items.add(new File(['x'], file.second));
      return transfer;
    },
    { name, text, size, second },
  );
  const field = page.getByText('표를 붙여넣거나, 엑셀(.xlsx)·CSV 파일을 선택하거나', { exact: false });
  await field.dispatchEvent('dragover', { dataTransfer: data });
  await field.dispatchEvent('drop', { dataTransfer: data });
}

describe.skipIf(!hasBrowser)('an import that is not stored yet', () => {
  const stack = sharedStack('empty');

  const start = async (address: string) => {
    const visited = await visit(stack, { as: 'admin@lab.test', at: address });
    return visited;
  };

  test('WORK-1 IMP-1 IMP-3 a dropped file, its corrections and ticks are there after a reload, and can be undone and discarded', async () => {
    const { page } = await start('/manage_students?tab=import');
    await page.getByLabel('과목', { exact: true }).fill('운영체제');
    await drop(page, { name: '큰 표.csv', size: 50 * 1024 * 1024 + 1 });
    await page
      .getByRole('alert')
      .getByText('50 MB보다 큰 파일은 읽을 수 없습니다.', { exact: false })
      .waitFor();

    await drop(page, { name: '명단.csv', text: [header, ...rows].join('\n') }, '다른.csv');
    await page.getByText('파일은 하나씩 읽습니다. 명단.csv만 읽었습니다').first().waitFor();
    await page.getByRole('button', { name: '1행 연락처 010-1234-5678로 변경' }).click();
    const corrected = page.getByRole('button', { name: '1행 연락처 010-1234-5678 수정' });
    await corrected.waitFor();
    const second = page.getByRole('checkbox', { name: '2행 포함' });
    await second.uncheck();
    await page.getByRole('button', { name: '1명 추가' }).waitFor();

    await page.reload();
    await page.getByText('작성하던 내용을 불러왔습니다', { exact: false }).waitFor();
    await page.getByText('명단.csv', { exact: false }).waitFor();
    await corrected.waitFor();
    await expect.poll(() => second.isChecked()).toBe(false);
    await page.getByRole('button', { name: '1명 추가' }).waitFor();

    await second.check();
    await page.getByRole('button', { name: '2명 추가' }).waitFor();
    await page.getByRole('button', { name: '되돌리기', exact: true }).click();
    await page.getByRole('button', { name: '1명 추가' }).waitFor();
    await page.getByRole('button', { name: '다시 하기' }).click();
    await page.getByRole('button', { name: '2명 추가' }).waitFor();

    await page.getByRole('button', { name: '버리기' }).click();
    await corrected.waitFor({ state: 'detached' });
    await expect.poll(() => storedDrafts(page)).toEqual([]);
  });

  test('WORK-1 IMP-4 corrections of a timetable outlive a look at another tab, and what was stored is undone', async () => {
    const address = '/manage_subjects_list?dept=ai&year=2023&semester=spring&view=input';
    const { page } = await start(address);
    await page.getByRole('textbox', { name: '시간표' }).fill(timetable);
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByRole('button', { name: '2행 과목명 빈 칸 수정' }).click();
    await page.getByRole('textbox', { name: '2행 과목명' }).fill('로봇공학');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '2개 과목 저장' }).waitFor();
    await page.getByRole('tab', { name: '과목 목록' }).click();
    await page.getByRole('tab', { name: '가져오기' }).click();
    await page.getByRole('button', { name: '2행 과목명 로봇공학 수정' }).waitFor();
    await page.getByRole('button', { name: '2개 과목 저장' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '저장' }).click();
    await page.getByText('변경 완료', { exact: true }).first().waitFor();
    await expect.poll(() => storedDrafts(page)).toEqual([]);

    const imports = page.getByRole('region', { name: '가져오기 이력' });
    await imports.getByText('과목 2개 (이전 0개)').waitFor();
    await imports.getByRole('button', { name: /2023년 1학기 되돌리기$/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: '되돌리기' }).click();
    await imports.getByText('되돌릴 수 있는 가져오기가 없습니다.').waitFor();
  });

  test('IMP-2 WORK-1 columns that nobody reads are told with their values, and a value left out stays out after a reload', async () => {
    const { page } = await start('/manage_students?tab=import');
    await page.getByLabel('과목', { exact: true }).fill('운영체제');
    const third = '3,209900003,박나린,컴퓨터공학과,4,휴학,010-0000-0003,narin@univ.test,학사,서울';
    const table = [`${header},과정,캠퍼스`, `${rows[0]},학사,서울`, `${rows[1]},석사,서울`, third];
    await page.getByRole('textbox', { name: '명단' }).fill(table.join('\n'));
    await page.getByRole('button', { name: '미리보기' }).click();
    const told = '학적상태(재학: 2행, 휴학: 1행) · 과정(학사: 2행, 석사: 1행';
    const panel = page.getByText(`확인할 열의 값: ${told}`);
    await page.getByText('모든 행에서 같은 열: 학과 컴퓨터공학과, 캠퍼스 서울.', { exact: false }).waitFor();
    await panel.click();
    const value = (name: string) => page.getByRole('checkbox', { name, exact: true });
    await value('석사: 1행').uncheck();
    await page.getByRole('button', { name: '2명 추가' }).waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: '2행 포함' }).isChecked()).toBe(false);
    await page.reload();
    await page.getByRole('button', { name: '2명 추가' }).waitFor();
    await panel.click();
    await expect.poll(() => value('석사: 1행').isChecked()).toBe(false);
    // Some rows of this value are in, so a click leaves out all of them.
    await value('재학: 2행').click();
    await page.getByRole('button', { name: '1명 추가' }).waitFor();
    // What another value leaves out stays out.
    await value('재학: 2행').click();
    await page.getByRole('button', { name: '2명 추가' }).waitFor();
    await expect.poll(() => value('석사: 1행').isChecked()).toBe(false);
    await value('석사: 1행').check();
    await page.getByRole('button', { name: '3명 추가' }).waitFor();
    await page.getByRole('button', { name: '버리기' }).click();

    await page.goto('/manage_account?tab=import');
    const entries = [
      '날짜\t내용\t금액\t단계',
      '2026-03-02\t간식\t-5000\t종결',
      '2026-03-03\t책\t-7000\t재검토',
    ];
    await page.getByRole('textbox', { name: '거래 내역' }).fill(entries.join('\n'));
    await page.getByRole('button', { name: '미리보기' }).click();
    await page.getByText('확인할 열의 값: 단계(종결: 1행, 재검토: 1행).').click();
    await value('재검토: 1행').uncheck();
    await page.getByText('2행 중 1건을 추가합니다. 합계 -5,000원').waitFor();
  });

  test('IMP-6 a workbook whose first sheet is refused or has no table offers its other sheets on every screen', async () => {
    const { page } = await start('/manage_scores');
    const sheet = {
      name: '성적',
      rows: [['학번', '이름', '총점'], ...[7, 8, 9].map((at) => [`2026${at}`, '가람', `${at}0`])],
    };
    const refused = Array.from({ length: 501 }, () => '값');
    for (const address of [
      '/manage_scores',
      '/manage_students?tab=import',
      '/manage_account?tab=import',
      '/manage_subjects_list?view=input',
    ])
      for (const cover of [refused, ['2026년 성적']]) {
        await page.goto(address);
        const buffer = Buffer.from(xlsx([{ name: '표지', rows: [cover] }, sheet]));
        await page
          .locator('main input[type=file]')
          .first()
          .setInputFiles({ name: '성적.xlsx', mimeType: '', buffer });
        const told =
          cover === refused ? '표가 너무 큽니다.' : '파일 이름 옆에서 다른 시트를 고를 수 있습니다.';
        await page.getByText(told, { exact: false }).first().waitFor();
        await page.getByRole('combobox', { name: '시트', exact: true }).click();
        await page.getByRole('option', { name: '성적' }).click();
        await page.getByText('가운데 ‘성적’만 읽었습니다.', { exact: false }).waitFor();
      }
  });

  test('WORK-1 what the browser has no room for is said, and closing the page asks', async () => {
    const { page } = await start('/manage_students?tab=import');
    await page.getByLabel('과목', { exact: true }).waitFor();
    await page.evaluate(() => {
      for (let size = 4_000_000; size > 0; size = Math.floor(size / 2)) {
        try {
          for (let at = 0; ; at += 1) localStorage.setItem(`full ${size} ${at}`, 'x'.repeat(size));
        } catch {
          // No room for as much.
        }
      }
    });
    await page.getByLabel('과목', { exact: true }).fill('운영체제');
    await page.getByText('이 브라우저에 임시 저장하지 못했습니다', { exact: false }).waitFor();
    const closing = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await closing;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
  });
});
