/**
 * @inOrder The node loses its traces and gets them back, as an operator would see it.
 */
import type { PaymentMethodContract } from '../src/checkout/payment-methods.contract.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import type { ChainReportContract } from '../src/operations/metrics/chain-report.contract.js';
import { createOwner } from './support/principals.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const TRACES = ['trace_block', 'debug_traceBlockByHash'];

describe('the native coin of a chain whose node has no traces', () => {
  let shop: Shop;
  let proxy: RpcProxy;
  let application: ShopApplication;
  let operatorToken: string;
  /** Created while the node had traces, with a locked rate. */
  let locked: CreatedPayment;

  beforeAll(async () => {
    const proxies: RpcProxy[] = [];
    shop = await Shop.open({}, async (node) => {
      proxies.push(await RpcProxy.start(node));
      return proxies[0]?.url ?? node;
    });
    [proxy] = proxies as [RpcProxy];
    application = await shop.application();
    const operator = await createOwner(shop.gateway);
    await shop.gateway.get(UsersService).setOperator(operator.userId, true);
    operatorToken = operator.accessToken;
    locked = await shop.createPayment(application);
    await shop.instructions(locked);
  });
  afterAll(async () => {
    await shop.close();
    await proxy.stop();
  });

  /** The node is probed again, as after a start. */
  async function restart(hidden: readonly string[], env: Record<string, string> = {}): Promise<void> {
    await shop.gateway.close();
    proxy.hide(hidden);
    shop.gateway = await shop.gateway.restart(env);
    await shop.mine();
  }

  async function reasonOf(method: string): Promise<string | null | undefined> {
    const payment = await shop.createPayment(application);
    const list = await shop.checkout<PaymentMethodContract[]>(payment, `${payment.id}/payment-methods`);
    return list.body.data.find((one) => one.method === method)?.unavailableReason;
  }

  async function nativeCoin(): Promise<string | undefined> {
    const { body } = await shop.call<ChainReportContract[]>('GET', '/api/admin/chains', operatorToken);
    return body.data[0]?.nativeCoin;
  }

  it('is offered as long as the node has them', async () => {
    expect([await reasonOf('eth'), await nativeCoin()]).toEqual([null, 'offered']);
  });

  it('is not offered, but tokens are, and the reason is shown to merchants and operators', async () => {
    await restart(TRACES);
    expect([await reasonOf('eth'), await reasonOf('usdt')]).toEqual(['not_traceable', null]);
    expect(await nativeCoin()).toBe('not_traceable');
    const payment = await shop.createPayment(application);
    const path = `payment/${payment.id}/provider/ethereum/method/eth`;
    expect(await shop.checkout(payment, path)).toMatchObject({
      status: 422,
      body: { errors: { method: [expect.stringContaining('is not offered')] } },
    });
  });

  it('still credits a payment whose rate was locked before', async () => {
    const instructions = await shop.instructions(locked);
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(locked)).toBe('CONFIRMED');
  });

  it('is offered nevertheless if the operator says so', async () => {
    await restart(TRACES, { CHAIN_ETHEREUM_NATIVE: 'always' });
    expect([await reasonOf('eth'), await nativeCoin()]).toEqual([null, 'offered']);
  });

  it('is offered again once the node has them', async () => {
    await restart([], { CHAIN_ETHEREUM_NATIVE: 'traced' });
    expect([await reasonOf('eth'), await nativeCoin()]).toEqual([null, 'offered']);
  });
});
