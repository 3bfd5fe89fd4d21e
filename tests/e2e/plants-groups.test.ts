import { connectAsync } from 'mqtt';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLocalD1 } from '../../scripts/local-d1.ts';
import { bridgeEnv, startBridge, untilConnected } from '../firmware-bridge/support/bridge.ts';
import { freshFolder } from '../firmware-bridge/support/processes.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { arriveAs } from '../support/sign-in-page.ts';
import { keepLogsOnFailure } from '../support/stack.ts';

const MOSS = { BRIDGE_ID: 'moss-pi', BRIDGE_KEY: 'the key of the bridge of the moss lab' };

describe.skipIf(!hasBrowser)('the plants of two laboratories', () => {
  const stack = sharedStack('empty');
  const card = (page: Page, raw: number) => page.locator(`li[data-plant="fern"][data-raw="${raw}"]`);

  async function startMossBridge(): Promise<void> {
    const db = openLocalD1(stack.dataDir, { database: 'PLANTS_DB' });
    db.prepare(
      "INSERT INTO bridge_keys (bridge_id, key, plant_group, created_at) VALUES (?, ?, 'moss-lab', 0)",
    ).run(MOSS.BRIDGE_ID, MOSS.BRIDGE_KEY);
    db.close();
    const broker = { bridgeEnv: { MQTT_URL: stack.brokerUrl }, version: 4 } as const;
    const env = { ...bridgeEnv(broker, stack.ingestUrl, freshFolder()), ...MOSS, PLANT_GROUP: 'moss-lab' };
    await untilConnected(await startBridge(env));
  }

  test('ING-16 PLT-11 two ferns are each on the screen of their group, told as they arrive, and changed apart', async () => {
    await startMossBridge();
    const boards = await connectAsync(stack.brokerUrl);
    onTestFinished(() => boards.endAsync());
    // The bridge of the local run hears every group too: what says of itself which reading it is comes once all the same.
    let seq = 0;
    const publish = async (topic: string, soil_moisture: number) => {
      const reading = { soil_moisture, datetime: new Date().toISOString(), seq: (seq += 1) };
      await boards.publishAsync(`lab/${topic}/soil_moisture`, JSON.stringify(reading), { qos: 1 });
    };
    await publish('plants/fern', 100);
    await publish('moss-lab/plants/fern', 900);
    keepLogsOnFailure(stack, 'plants-groups');
    const { page } = await visit(stack.origin, 'plants-groups');
    await arriveAs(page, 'admin@lab.test');
    await expect
      .poll(async () => {
        await page.goto('/manage_plants');
        await card(page, 100).waitFor();
        return await page.getByRole('combobox', { name: '그룹' }).count();
      })
      .toBe(1);
    expect(await page.locator('li[data-plant]').count()).toBe(1);

    await page.getByRole('combobox', { name: '그룹' }).click();
    await page.getByRole('option', { name: 'moss-lab · 물 부족 1개' }).click();
    await card(page, 900).waitFor();
    expect(new URL(page.url()).searchParams.get('group')).toBe('moss-lab');
    expect(await page.locator('li[data-plant]').count()).toBe(1);
    await publish('plants/fern', 110);
    await publish('moss-lab/plants/fern', 890);
    await card(page, 890).waitFor();
    await page.screenshot({ path: 'test-results/groups.png', fullPage: true });

    await page.getByRole('button', { name: 'fern 설정' }).click();
    await page.getByText('보드의 토픽 lab/moss-lab/plants/fern/soil_moisture는').waitFor();
    await page.getByLabel('이름').fill('물이끼');
    await page.getByRole('button', { name: '저장', exact: true }).click();
    await page.locator('li[data-plant="물이끼"]').waitFor();
    const href = await page.getByRole('link', { name: 'CSV 저장' }).getAttribute('href');
    const csv = await page.evaluate(async (path) => await (await fetch(path)).text(), href ?? '');
    expect(
      csv
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',').at(-1)),
    ).toEqual(['moss-lab/fern', 'moss-lab/fern']);

    await page.goBack();
    await card(page, 110).waitFor();
    await page.getByRole('button', { name: 'fern 설정' }).click();
    await page.getByRole('button', { name: '삭제' }).click();
    await page.getByRole('dialog', { name: 'fern 삭제' }).getByRole('button', { name: '삭제' }).click();
    // With the last plant of the own group the other one is what the screen begins with.
    await page.goto('/manage_plants');
    await page.locator('li[data-plant="물이끼"]').waitFor();
    await page.getByRole('button', { name: '찾기' }).click();
    await page.getByRole('combobox', { name: '찾을 이름이나 번호' }).fill('물이끼');
    await page.getByRole('option', { name: 'moss-lab/물이끼' }).click();
    await page.waitForURL('**/manage_plants?group=moss-lab&*');
    await page.locator('li[data-plant="물이끼"]').waitFor();
  });
});
