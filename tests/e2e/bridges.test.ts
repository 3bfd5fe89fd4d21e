import { strFromU8, unzipSync } from 'fflate';
import { connectAsync } from 'mqtt';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isPasswordOf } from '../../firmware-bridge/src/commands/mosquitto-users.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';

/** The part of the screen, and a dialog of it that a button opens. */
const part = (page: Page) => page.getByRole('region', { name: '보드와 브리지' });
async function opened(page: Page, button: string) {
  await part(page).getByRole('button', { name: button, exact: true }).click();
  return page.getByRole('dialog');
}

describe.skipIf(!hasBrowser)('boards and bridges on the health screen', () => {
  const stack = sharedStack('demo');
  const passwords = () => join(stack.dataDir, 'passwords');
  const open = () => visit(stack, { as: 'admin@lab.test', at: '/manage_health' });

  test('OPS-17 a key is shown once, replaced by another, and revoked', async () => {
    const { page, problems } = await open();
    const dialog = await opened(page, '브리지 추가');
    await dialog.getByRole('textbox', { name: '브리지 이름' }).fill('지붕');
    await dialog.getByRole('button', { name: '키 만들기' }).click();
    await dialog.getByText('브리지 이름은 영문, 숫자와').waitFor();
    await dialog.getByRole('textbox', { name: '브리지 이름' }).fill('roof');
    await dialog.getByRole('textbox', { name: '보낼 수 있는 화분' }).fill('fern, moss');
    await dialog.getByRole('button', { name: '키 만들기' }).click();
    const key = await dialog.getByText(/BRIDGE_KEY=[\w-]{43}/).textContent();
    expect(key).toContain('BRIDGE_ID=roof');
    await dialog.getByRole('button', { name: '닫기' }).last().click();
    const roof = part(page).locator('[data-bridge=roof]');
    await roof.getByText('화분 fern, moss').waitFor();
    expect(await page.content()).not.toContain(key?.split('BRIDGE_KEY=')[1]);

    await roof.getByRole('button', { name: /키 \d+ 교체/ }).click();
    await dialog.getByRole('button', { name: '키 만들기' }).click();
    await dialog.getByText('이전 키를 폐기합니다').waitFor();
    await page.keyboard.press('Escape');
    const revoke = roof.getByRole('button', { name: /키 \d+ 폐기/ });
    await expect.poll(() => revoke.count()).toBe(2);
    await revoke.last().click();
    await dialog.getByRole('button', { name: '폐기' }).click();
    await roof.getByText('폐기한 키 1개').waitFor();
    expect(problems).toEqual([]);
  });

  test('OPS-17 a board is one download that holds its password, and can be revoked', async () => {
    const { page, problems } = await open();
    const dialog = await opened(page, 'local: 보드 만들기');
    await dialog.getByRole('button', { name: '만들기' }).click();
    await dialog.getByText('화분의 이름을 입력하세요').waitFor();
    await dialog.getByRole('textbox', { name: '화분' }).fill('고사리');
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: '고사리 보드를 만들었습니다' }).waitFor();
    await dialog.getByText('mpremote cp').waitFor();
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: '고사리-micropython.zip 저장' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('고사리-micropython.zip');
    const files = unzipSync(readFileSync(await download.path()));
    const settings = strFromU8(files['settings.py'] ?? new Uint8Array());
    const [, password = ''] = /^PASSWORD = "(.+)"$/m.exec(settings) ?? [];
    expect(isPasswordOf(passwords(), '고사리', password)).toBe(true);
    expect(settings).toContain('BROKER = "broker.lab.example"');
    await dialog.getByRole('button', { name: '닫기' }).last().click();

    await opened(page, 'local: 보드 비밀번호 폐기');
    await dialog.getByRole('textbox', { name: '화분' }).fill('고사리');
    await dialog.getByRole('button', { name: '폐기' }).click();
    await dialog.getByText('고사리의 비밀번호를 폐기했습니다').waitFor();
    await dialog.getByRole('button', { name: '폐기' }).click();
    // A second time there is none: what the bridge says is shown as it said it.
    await dialog.getByText('고사리 has no password').waitFor();
    expect(readFileSync(passwords(), 'utf8')).toBe('');
    expect(problems).toEqual([]);
  });

  test('OPS-17 a dead letter is listed, mended and stored; a backup is made and its result is shown', async () => {
    const client = await connectAsync(stack.brokerUrl);
    const topic = 'lab/plants/odd/soil_moisture';
    for (const payload of ['6 12', 'wet']) await client.publishAsync(topic, payload, { qos: 1 });
    await client.endAsync();
    const { page, problems } = await open();
    const dialog = await opened(page, 'local: 처리하지 못한 메시지');
    const first = dialog.getByRole('textbox', { name: new RegExp(topic) }).first();
    await first.waitFor();
    await expect.poll(() => first.inputValue()).toBe('6 12');
    await first.fill('612');
    await dialog.getByRole('button', { name: '수정한 내용으로 처리' }).click();
    await dialog.getByText('다시 처리했습니다').waitFor();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
    await dialog.getByRole('button', { name: '그대로 다시 처리' }).click();
    await expect.poll(() => dialog.getByRole('textbox', { name: new RegExp(topic) }).count()).toBe(1);
    await page.keyboard.press('Escape');
    const stored = async () => {
      const answer = await page.request.get('/api/plants?plant=odd');
      return await answer.json();
    };
    await expect.poll(stored).toMatchObject([{ soil_moisture: 612 }]);

    await page.getByRole('button', { name: '지금 백업' }).click();
    const told = await page.getByText(/백업했습니다/).textContent({ timeout: 60_000 });
    const [archive] = /backups\/\S+/.exec(told ?? '') ?? [];
    expect(archive).toBeDefined();
    rmSync(archive ?? '');
    await page.getByRole('region', { name: '백업' }).getByText('마지막 백업').waitFor();
    expect(problems).toEqual([]);
  });
});
