import { connectAsync } from 'mqtt';
import { describe, expect, test } from 'vitest';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { signInAs } from '../support/sign-in-page.ts';
import { sharedStack } from '../support/shared-stack.ts';

/** The newcomer's path in a real Chromium; without one on the machine the tests count as skipped. */
describe.skipIf(!hasBrowser)('a newcomer', () => {
  const stack = sharedStack('demo');

  test('NAV-4 AUTH-2 PLT-3 signs in as admin and sees a published reading arrive in the chart', async () => {
    const { page } = await visit(stack, { at: '/manage_plants' });
    await page.waitForURL('**/login');
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.getByRole('button', { name: /admin@lab\.test/ }).click();
    await page.getByText('로그인 성공', { exact: true }).waitFor();
    await page.waitForURL(`${stack.origin}/`);

    await page.goto('/manage_plants');
    await page.getByRole('heading', { name: '화분 관리' }).waitFor();
    await page.getByText('Soil moisture by time').waitFor();
    await page.locator('.recharts-line').first().waitFor();

    const board = await connectAsync(stack.brokerUrl);
    await board.publishAsync('lab/plants/newcomer-fern/soil_moisture', '137', { qos: 1 });
    await board.endAsync();
    // Without a reload.
    await page.locator('[data-plant="newcomer-fern"][data-raw="137"]').waitFor();
  });

  test('AUTH-2 AUTH-7 without a student number completes the profile first', async () => {
    const { page } = await visit(stack);
    await signInAs(page, 'new@lab.test');
    await page.waitForURL('**/manage_user_info');
    await page.getByRole('heading', { name: '사용자 정보 수정' }).waitFor();
    const number = page.getByLabel('학번/직번');
    const submit = page.getByRole('button', { name: '확인' });
    await expect.poll(() => submit.isDisabled()).toBe(true);
    await number.fill('1234');
    await expect.poll(() => submit.isDisabled()).toBe(true);
    await number.fill('202699999');
    await submit.click();
    await page.getByText('변경 완료', { exact: true }).waitFor();
    await page.waitForURL(`${stack.origin}/`);
  });

  test("AUTH-4 AUTH-6 signs in by redirect when the provider's script is blocked, logs out and is nobody afterwards", async () => {
    const { page } = await visit(stack);
    await page.route('**/dev/identity/client', (route) => route.abort());
    await page.goto('/login');
    await page.getByRole('link', { name: /Google/ }).click();
    await page.getByRole('link', { name: /member@lab\.test/ }).click();
    await page.getByText('로그인 성공', { exact: true }).waitFor();
    await page.waitForURL(`${stack.origin}/`);
    await page.goto('/logout');
    await page.getByText('로그아웃', { exact: true }).first().waitFor();
    await page.waitForURL(`${stack.origin}/`);
    await page.goto('/settings');
    await page.waitForURL('**/login');
  });
});
