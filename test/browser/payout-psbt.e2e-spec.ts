import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import type { Browser, Page } from 'playwright-core';
import { ChainWatcherService } from '../../src/chain-watcher/chain-watcher.service.js';
import { describeInBrowser, launchChromium, type Tab } from '../support/chromium.js';
import { openDashboard, ownAddress, violations } from '../support/dashboard.js';
import { describeWithLitecoin, startUtxoNode, type UtxoNode } from '../support/litecoind.js';
import { layoutFaults } from '../support/page-layout.js';
import { type RefundDto, RefundsApi } from '../support/refunds-api.js';
import { Shop } from '../support/shop.js';

const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 23), {
  private: 0x04358394,
  public: 0x043587cf,
}).derive("m/84'/1'/0'");
/** Pictures to look at; none without it. */
const { PAYOUT_PICTURES: PICTURES } = process.env;
const REFUNDS = 2;

describeWithLitecoin('refunds in litecoin', () => {
  describeInBrowser('are paid by one transaction', () => {
    let node: UtxoNode;
    let shop: Shop;
    let api: RefundsApi;
    let browser: Browser;
    let tab: Tab;
    let page: Page;
    const refunds: RefundDto[] = [];

    const watch = async () => {
      await shop.gateway.get(ChainWatcherService).drain('litecoin');
      await shop.settle();
    };

    beforeAll(async () => {
      node = await startUtxoNode();
      const chain = { CHAIN_LITECOIN_RPC_URL: node.url, CHAIN_LITECOIN_NETWORK: 'regtest' };
      shop = await Shop.open({ ...(await ownAddress()), ...chain });
      shop.rates.setPrice('LTC', 'USD', '80');
      const application = await shop.application();
      api = new RefundsApi(shop, application);
      const wallet = `/api/payment-applications/${application.id}/wallets/litecoin`;
      const key = { extendedPublicKey: ACCOUNT.publicExtendedKey, scriptType: 'p2wpkh' };
      await shop.call('PUT', wallet, shop.owner.accessToken, key);
      for (let i = 1; i <= REFUNDS; i += 1) {
        const payment = await shop.createPayment(application, { reference: `ORDER-${i}` });
        const { address, amount } = await shop.instructions(payment, 'ltc', 'litecoin');
        const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('validateaddress', [address]);
        await node.pay([{ key: Buffer.from(scriptPubKey, 'hex'), amount: BigInt(amount.atomic) }]);
        await watch();
        await node.mine(6);
        await watch();
        const paidBack = { address: await node.newAddress(), payoutAmount: 1_000_000 };
        refunds.push(await api.create(payment, paidBack));
      }
      browser = await launchChromium();
      const { clientId } = shop.owner;
      tab = await openDashboard(browser, shop.gateway, `${clientId}@example.test`, {
        password: `password of ${clientId}`,
        path: '/dashboard/refunds?status=AWAITING_PAYMENT',
      });
      page = tab.page;
      page.setDefaultTimeout(20_000);
    });
    afterAll(async () => {
      await browser?.close();
      await shop?.close();
      await node?.stop();
    });

    const dialog = () => page.getByRole('dialog');

    /** In both directions, on phones and desks. */
    async function expectReadable(name: string): Promise<void> {
      for (const width of [320, 390, 800, 1_280]) {
        await page.setViewportSize({ width, height: 900 });
        expect([name, width, await violations(page), await layoutFaults(page)]).toEqual([
          name,
          width,
          [],
          [],
        ]);
        if (PICTURES) await page.screenshot({ path: path.join(PICTURES, `${name}-${width}.png`) });
      }
    }

    it('that the wallet signs, with the rest at the address that was named', async () => {
      for (let i = 1; i <= REFUNDS; i += 1)
        await page
          .getByRole('listitem')
          .filter({ hasText: `ORDER-${i}` })
          .getByText('Pay together with others')
          .click();
      await page.getByRole('button', { name: /^Prepare payout: / }).click();
      const change = await node.newAddress();
      await dialog().getByRole('textbox', { name: 'Address for what is left over' }).fill('ltc1wrong');
      await dialog().getByRole('textbox', { name: 'Fee in sat/vB' }).fill('3');
      await dialog().getByRole('button', { name: 'Prepare one transaction' }).click();
      await dialog().getByText('must be an address of the network').first().waitFor();
      await dialog().getByRole('textbox', { name: 'Address for what is left over' }).fill(change);
      await dialog().getByRole('button', { name: 'Prepare one transaction' }).click();
      await dialog().getByText('is left over and goes to your address').waitFor();
      await expectReadable('psbt');
      const downloaded = page.waitForEvent('download');
      await dialog()
        .getByRole('button', { name: /^Save the PSBT: / })
        .click();
      const file = await downloaded;
      expect(file.suggestedFilename()).toMatch(/^payout-litecoin-[0-9a-f]{8}-1\.psbt$/);
      const transaction = Transaction.fromPSBT(await readFile(await file.path()));
      expect(transaction.outputsLength).toBe(REFUNDS + 1);
      for (let i = 0; i < transaction.inputsLength; i += 1) {
        const index = Number(transaction.getInput(i).bip32Derivation?.[0]?.[1].path.at(-1));
        transaction.signIdx(ACCOUNT.derive(`m/0/${index}`).privateKey ?? Buffer.alloc(0), i);
      }
      transaction.finalize();
      const hash = await node.broadcast(transaction.hex);
      await dialog().getByRole('textbox', { name: /hash/i }).fill(hash);
      await dialog()
        .getByRole('button', { name: /^I have sent it: / })
        .click();
      await dialog().getByText('recorded, being verified').first().waitFor();
      await watch();
      await node.mine(6);
      await watch();
      await api.verify();
      for (const refund of refunds) expect((await api.read(refund)).status).toBe('COMPLETED');
      // A browser logs the refusal of a field, and that there is no session before the sign-in.
      expect(tab.incidents.filter((one) => !/status of (401|422)/.test(one))).toEqual([]);
    });
  });
});
