import type { Mistake, Sent } from './mistake.js';
import type { MistakesHarness } from './mistakes-harness.js';

interface Link {
  id: string;
  expires: string;
  signature: string;
}

const linkOf = ({ id, checkoutUrl }: { id: string; checkoutUrl: string }): Link => {
  const { searchParams } = new URL(checkoutUrl);
  return {
    id,
    expires: searchParams.get('expires') ?? '',
    signature: searchParams.get('signature') ?? '',
  };
};

/** The public status of the open payment, with a query that went wrong. */
const status =
  (query: (link: Link, harness: MistakesHarness) => string) =>
  (harness: MistakesHarness): Sent => {
    const link = linkOf(harness.payments.open);
    return { method: 'GET', path: `/api/checkout/payment/${link.id}${query(link, harness)}` };
  };

/** The page for customers. */
const page =
  (query: (link: Link) => string) =>
  (harness: MistakesHarness): Sent => {
    const link = linkOf(harness.payments.open);
    return { method: 'GET', path: `/checkout/${link.id}${query(link)}` };
  };

export const LINKS: Mistake[] = [
  {
    title: 'a link without its query',
    request: status(() => ''),
  },
  {
    title: 'a link without its signature, as a shell cuts it at &',
    request: status(({ expires }) => `?expires=${expires}`),
  },
  {
    title: 'a link without expires',
    request: status(({ signature }) => `?signature=${signature}`),
  },
  {
    title: 'a link that was cut off',
    request: status(({ expires, signature }) => `?expires=${expires}&signature=${signature.slice(0, 40)}`),
  },
  {
    title: 'a signature in capitals',
    request: status(({ expires, signature }) => `?expires=${expires}&signature=${signature.toUpperCase()}`),
  },
  {
    title: 'both parameters twice',
    request: status(({ expires, signature }) => {
      const query = `expires=${expires}&signature=${signature}`;
      return `?${query}&${query}`;
    }),
  },
  {
    title: 'an expires that was moved to a later time',
    request: status(
      ({ expires, signature }) => `?expires=${Number(expires) + 86_400}&signature=${signature}`,
    ),
  },
  {
    title: 'expires in milliseconds',
    request: status(({ expires, signature }) => `?expires=${expires}000&signature=${signature}`),
  },
  {
    title: 'the signature of another payment',
    request: status((_link, { payments }) => {
      const { expires, signature } = linkOf(payments.found);
      return `?expires=${expires}&signature=${signature}`;
    }),
  },
  {
    title: 'a signature that the shop made with its webhook secret',
    request: status(({ expires }) => `?expires=${expires}&signature=${'ab'.repeat(32)}`),
  },
  {
    title: 'a payment id in capitals',
    request: (harness) => {
      const { id, expires, signature } = linkOf(harness.payments.open);
      return {
        method: 'GET',
        path: `/api/checkout/payment/${id.toUpperCase()}?expires=${expires}&signature=${signature}`,
      };
    },
  },
  {
    title: 'a bearer token in place of the signature',
    request: ({ application, payments }) => ({
      method: 'GET',
      path: `/api/checkout/payment/${payments.open.id}`,
      headers: { authorization: `Bearer ${application.clientToken}` },
    }),
  },
  {
    title: 'a link that has ended',
    request: ({ payments: { linkEnded } }) => ({
      method: 'GET',
      path: `/api/checkout/payment/${linkEnded.id}${new URL(linkEnded.checkoutUrl).search}`,
    }),
  },
  {
    title: 'the payment methods below payment/',
    request: ({ payments: { open } }) => ({
      method: 'GET',
      path: `/api/checkout/payment/${open.id}/payment-methods${new URL(open.checkoutUrl).search}`,
    }),
  },
  {
    title: 'the payment itself without payment/',
    request: ({ payments: { open } }) => ({
      method: 'GET',
      path: `/api/checkout/${open.id}${new URL(open.checkoutUrl).search}`,
    }),
  },
  {
    title: 'the page, by a link without its signature',
    request: page(() => ''),
  },
  {
    title: "a refund's claim with the signature of the checkout",
    request: ({ refunds: { open }, payments }) => ({
      method: 'GET',
      path: `/api/checkout/refund/${open.id}${new URL(payments.paid.checkoutUrl).search}`,
    }),
  },
  {
    title: "a refund's claim by a link without its signature",
    request: ({ refunds: { open } }) => ({ method: 'GET', path: `/api/checkout/refund/${open.id}` }),
  },
];
