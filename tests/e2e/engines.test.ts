import { writeFileSync } from 'node:fs';
import { connectAsync } from 'mqtt';
import { describe, expect, test } from 'vitest';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { pageAccess } from '../../web/src/lib/page-access.ts';
import { isFull } from '../support/counts.ts';
import { otherEngines, startEngine, type EnginePage } from '../support/other-engines.ts';
import { sharedStack } from '../support/shared-stack.ts';

/* What is run in the page. */

const isListed = () => document.querySelector('textarea')?.value.includes('홍길동');
const isAt = (path: string) =>
  location.pathname === path.split('?')[0] && document.querySelector('h1') !== null;
const hasText = (text: string) => document.body.innerText.includes(text);
/** Clicks what is called so, or so and more, if it is there. */
const press = (name: string) => {
  const controls = [...document.querySelectorAll<HTMLElement>('button, a, [role=tab]')];
  const nameOf = (each: HTMLElement) => each.getAttribute('aria-label') ?? each.textContent.trim();
  const seen = controls.filter((each) => each.checkVisibility());
  const control =
    seen.find((each) => nameOf(each) === name) ?? seen.find((each) => nameOf(each).includes(name));
  control?.click();
  return control !== undefined;
};
/** Types into the field that a label names, as React hears it. */
const type = (label: string, text: string) => {
  const named = [...document.querySelectorAll('label')].find((each) => each.textContent.trim() === label);
  const field = named?.control;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
};
const tabs = () => [...document.querySelectorAll('[role=tab]')].map((tab) => tab.textContent.trim());
/** What is drawn in a box that it does not fit, by a pixel or two: browsers put a scroll bar there. */
const strayScrollbars = () =>
  [...document.querySelectorAll('[role=tablist]')]
    .filter((box) => box.scrollHeight > box.clientHeight && getComputedStyle(box).overflowY !== 'hidden')
    .map((box) => `${box.scrollHeight} px in ${box.clientHeight}`);

describe.skipIf(otherEngines.length === 0)('Firefox and WebKit', () => {
  const stack = sharedStack('demo');

  async function keepPicture(page: EnginePage, name: string): Promise<void> {
    const folder = process.env['PICTURES'];
    if (folder !== undefined) writeFileSync(`${folder}/${name}.png`, await page.picture(), 'base64');
  }

  test.each(otherEngines)(
    'NAV-17 in %s somebody reads the public page, signs in, works on each screen and is asked to sign in again',
    async (engine) => {
      const page = await startEngine(engine);
      const open = async (path: string) => {
        await page.open(stack.origin + path);
        await page.until(isAt, path);
      };
      await open('/');
      await page.run(() => dispatchEvent(new Event('focusin')));
      await page.until(press, 'EN');
      await page.until(isAt, '/en');
      await keepPicture(page, `${engine}-en`);
      await open('/login');
      await page.until(press, 'Sign in with Google');
      await page.until(press, 'admin@lab.test');
      await page.until(() => location.pathname !== '/login');

      const screens = Object.keys(pageAccess);
      for (const path of isFull ? screens : ['/settings', '/manage_users']) {
        await open(path);
        for (const tab of await page.run(tabs)) {
          await page.until(press, tab);
          await page.until(() => document.querySelector('[role=tabpanel]') !== null);
          expect(await page.run(hasText, '화면을 표시하지 못했습니다'), `${path} ${tab}`).toBe(false);
        }
        expect(await page.run(strayScrollbars), path).toEqual([]);
        await keepPicture(page, `${engine}${path.replace('/', '-')}`);
      }

      await open('/manage_plants');
      const board = await connectAsync(stack.brokerUrl);
      const topic = `lab/plants/${engine.toLowerCase()}/soil_moisture`;
      for (const raw of [601, 590]) {
        await board.publishAsync(topic, String(raw), { qos: 1 });
        await page.until(hasText, `센서 ${raw}`);
      }
      await board.endAsync();

      await open('/manage_students?tab=import');
      await page.until(type, '연도', '2025');
      await page.until(type, '과목', '어느 과목');
      await page.until(
        type,
        '명단',
        '번호\t학번\t이름\t학과\t학년\t구분\t연락처\t이메일\n1\t209900078\t홍길동\t컴퓨터\t1\t재학\t010-1234-5678\ta@b.kr',
      );
      await page.until(press, '미리보기');
      await page.until(hasText, '1명 추가');
      await keepPicture(page, `${engine}-import`);
      const db = openLocalD1(stack.dataDir);
      db.exec('DELETE FROM sessions');
      db.close();
      await page.until(press, '1명 추가');
      await page.until(hasText, '다시 로그인해 주세요');
      await keepPicture(page, `${engine}-ended`);
      await page.until(press, 'Sign in with Google');
      await page.until(press, 'admin@lab.test');
      await page.until(isListed);
    },
    600_000,
  );
});
