import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { COLLECTOR_FACTORY } from '../../src/wallets/treasury/treasury-address.pure.js';
import { addressOf, newTreasury } from '../support/collecting.js';
import { describeInBrowser, launchChromium, openTab } from '../support/chromium.js';
import { installSdk, type SdkProject } from '../support/sdk-package.js';
import { EVM_XPUB } from '../support/shop.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const OWN = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
const THIEF = '0x52908400098527886E0F7030069857D2E4169EE7';
const TREASURY = newTreasury();

/** The derivation of the gateway as merchants get it: built without Node and without packages. */
describe('the check that an address is of a key', () => {
  let project: SdkProject;
  let gateway: TestGateway;
  beforeAll(async () => {
    [project, gateway] = await Promise.all([installSdk(), startTestGateway()]);
  });
  afterAll(async () => {
    await gateway?.close();
    await project?.remove();
  });

  const run = (args: string[]) =>
    new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: project.folder }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
  const cli = (...args: string[]) => run([path.join(project.installed, 'dist/cli.js'), ...args]);

  it('is a command that exits with 0 for an own address, 1 for another, 2 for a question without an answer', async () => {
    expect(await cli(EVM_XPUB, '0', OWN)).toEqual({
      code: 0,
      output: `yes: ${OWN} is 0/0 of this key, m/44'/60'/0'/0/0 of its wallet (evm)\n`,
    });
    expect(await cli(EVM_XPUB, '0', THIEF)).toEqual({
      code: 1,
      output: `NO: ${THIEF} is not address 0 of this key\n`,
    });
    expect(await cli('--family', 'bitcoin', EVM_XPUB, '0', OWN)).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^address: /),
    });
    for (const args of [[], [EVM_XPUB, 'x', OWN], ['--other', '1'], [EVM_XPUB, '0', OWN, 'more']])
      expect(await cli(...args)).toMatchObject({ code: 2, output: expect.stringMatching(/^Usage: /) });
    expect(await cli('--help')).toMatchObject({ code: 0, output: expect.stringMatching(/^Usage: /) });
  });

  it('is asked about a treasury, too', async () => {
    const deposit = addressOf(TREASURY, 3);
    const options = ['--treasury', TREASURY.address, '--namespace', TREASURY.namespace];
    expect(await cli(...options, '3', deposit)).toEqual({
      code: 0,
      output: `yes: ${deposit} can only pay ${TREASURY.address} (index 3, contract ${COLLECTOR_FACTORY})\n`,
    });
    expect(await cli(...options, '4', deposit)).toEqual({
      code: 1,
      output: `NO: ${deposit} is not address 4 of this treasury\n`,
    });
    expect(await cli(...options, '--factory', THIEF, '3', deposit)).toMatchObject({ code: 1 });
    expect(await cli('--treasury', 'x', '3', deposit)).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^namespace: /),
    });
    expect(await cli(...options, '--family', 'evm', '3', deposit)).toMatchObject({ code: 2 });
  });

  it('is an entry point of the package that needs no other package', async () => {
    const program = path.join(project.folder, 'check.mjs');
    await writeFile(
      program,
      `import { isAddressOfKey, isAddressOfTreasury } from 'crypto-payment-gateway-client/verify-address';
const { address: treasury, namespace } = ${JSON.stringify(TREASURY)};
console.log(isAddressOfTreasury({ treasury, namespace, index: 3, address: '${addressOf(TREASURY, 3)}' }));
console.log(['${OWN}', '${THIEF}'].map((address) => isAddressOfKey({ key: '${EVM_XPUB}', index: 0, address })));`,
    );
    expect(await run([program])).toEqual({ code: 0, output: 'true\n[ true, false ]\n' });
  });

  describeInBrowser('as a page', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());

    const served = () => `${gateway.baseUrl}/verify-address`;
    it.each(['as the gateway serves it', 'saved, from a disk'])(
      'answers %s, and loads nothing',
      async (how) => {
        const text = await (await fetch(served())).text();
        const saved = path.join(project.folder, 'verify-address.html');
        await writeFile(saved, text);
        const { page, incidents, requests } = await openTab(browser);
        const url = how.startsWith('saved') ? pathToFileURL(saved).href : served();
        await page.goto(url);
        await page.context().setOffline(true);
        const ask = async (address: string, key = EVM_XPUB) => {
          await page.fill('#key', key);
          await page.fill('#index', '0');
          await page.fill('#address', address);
          await page.click('button');
          return page.textContent('#result');
        };
        expect(await ask(OWN)).toBe(`Yes: ${OWN} is 0/0 of this key, m/44'/60'/0'/0/0 of its wallet (evm).`);
        expect(await ask(THIEF)).toBe(`No: ${THIEF} is not address 0 of this key.`);
        expect(await ask(OWN, 'xpub')).toMatch(/^key: /);
        await page.fill('#key', TREASURY.address);
        await page.fill('#namespace', TREASURY.namespace);
        await page.fill('#index', '3');
        await page.fill('#address', addressOf(TREASURY, 3));
        await page.click('button');
        expect(await page.textContent('#result')).toBe(
          `Yes: ${addressOf(TREASURY, 3)} is address 3 of this treasury, and can only pay it.`,
        );
        await page.fill('#key', THIEF);
        await page.click('button');
        expect(await page.textContent('#result')).toMatch(/^No: /);
        expect(incidents).toEqual([]);
        expect(requests.filter((request) => !request.endsWith('/favicon.ico'))).toEqual([url]);
        await page.context().close();
      },
    );

    it('is served with a policy that runs its own script and nothing else', async () => {
      const policy = (await fetch(served())).headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
    });
  });
});
