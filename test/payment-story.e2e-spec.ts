import { startTestGateway } from './support/test-gateway.js';

it('boots', async () => {
  const gateway = await startTestGateway({ CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:1' });
  const response = await fetch(`${gateway.baseUrl}/api/health/ready`);
  expect([response.status, await response.text()]).toEqual([200, '']);
  await gateway.close();
});
