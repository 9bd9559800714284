/** What a developer needs for a first payment. */
export interface SnippetFacts {
  gatewayUrl: string;
  clientToken: string;
  clientId: string;
  /** A new order number, so that each visit of the page makes another payment. */
  reference: string;
}

export interface Snippet {
  id: string;
  name: string;
  code: string;
}

/** Nine lines that create a payment, in three languages. */
export function snippetsOf(facts: SnippetFacts): Snippet[] {
  return [
    { id: 'curl', name: 'curl', code: curl(facts) },
    { id: 'node', name: 'Node.js', code: node(facts) },
    { id: 'php', name: 'PHP', code: php(facts) },
  ];
}

function curl({ gatewayUrl, clientToken, clientId, reference }: SnippetFacts): string {
  return `curl -s '${gatewayUrl}/api/payment/checkout' \\
  -H 'Authorization: Bearer ${clientToken}' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: ${reference}-attempt-1' \\
  -d '{
    "amount": 2500, "currencyCode": "USD",
    "reference": "${reference}", "referenceLabel": "Coffee",
    "clientId": "${clientId}"
  }'`;
}

function node({ gatewayUrl, clientToken, clientId, reference }: SnippetFacts): string {
  return `const answer = await fetch('${gatewayUrl}/api/payment/checkout', {
  method: 'POST',
  headers: { authorization: 'Bearer ${clientToken}',
    'content-type': 'application/json', 'idempotency-key': '${reference}-attempt-1' },
  body: JSON.stringify({ amount: 2500, currencyCode: 'USD', referenceLabel: 'Coffee',
    reference: '${reference}', clientId: '${clientId}' }),
});
const { data } = await answer.json();
console.log(data.checkoutUrl);`;
}

function php({ gatewayUrl, clientToken, clientId, reference }: SnippetFacts): string {
  return `<?php
$order = ['amount' => 2500, 'currencyCode' => 'USD', 'referenceLabel' => 'Coffee',
  'reference' => '${reference}', 'clientId' => '${clientId}'];
$http = ['method' => 'POST', 'content' => json_encode($order), 'header' => [
  'Authorization: Bearer ${clientToken}',
  'Content-Type: application/json', 'Idempotency-Key: ${reference}-attempt-1']];
$answer = file_get_contents('${gatewayUrl}/api/payment/checkout',
  false, stream_context_create(['http' => $http]));
echo json_decode($answer)->data->checkoutUrl, "\\n";`;
}
