import type { Paths } from '../openapi-types.js';
import { cursorPage, operation } from '../operation.js';
import { EXAMPLE_EVENT } from '../webhooks.js';

export const eventPaths: Paths = {
  '/api/events': {
    get: operation({
      id: 'listEvents',
      tag: 'Webhooks',
      summary: 'Pull events',
      description:
        'What webhooks carry, byte for byte and in order for each payment, for servers that nobody can reach. Keep ' +
        '`meta.cursor.next` together with what you did, and ask for what comes after it. A client token sees its own ' +
        'application. Reading acknowledges nothing: a payment of an application with a `callbackUrl` still waits ' +
        'for the answer to its webhook.',
      access: 'payments.get',
      parameters: [
        {
          name: 'after',
          in: 'query',
          description:
            'The cursor that the request before answered; without it, from the first event on. A cursor ahead of every ' +
            'event gets a 422: the gateway goes on from an older backup. Then read from the beginning and drop known ids.',
          schema: { type: 'string' },
        },
        {
          name: 'limit',
          in: 'query',
          description: 'How many events at most.',
          schema: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
        },
      ],
      answers: { 200: cursorPage('The next events.', 'Event', EXAMPLE_EVENT) },
    }),
  },
  '/api/events/stream': {
    get: operation({
      id: 'streamEvents',
      tag: 'Webhooks',
      summary: 'Follow events',
      description:
        'The events of `GET /api/events` as they happen, as server-sent events (`EventSource`): `id` is the cursor, `data` ' +
        'the bytes that the webhook carries. Begins after the header `Last-Event-ID`, else after `after`, else with the ' +
        'first event. Comments keep it alive; it ends after five minutes, at shutdown, and when its token no longer opens ' +
        'it: come back with the last `id`, as every EventSource does by itself. Nothing is missed and nothing comes twice.',
      access: 'payments.get',
      parameters: [
        {
          name: 'after',
          in: 'query',
          description:
            'A cursor of `GET /api/events` or an `id` of this stream; refused as there when it is ahead of every event.',
          schema: { type: 'string' },
        },
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'The last `id` that you have handled; goes before `after`, and is refused as that.',
          schema: { type: 'string' },
        },
      ],
      answers: {
        200: {
          description: 'A stream without an end of its own.',
          contents: { 'text/event-stream': { type: 'string' } },
        },
      },
    }),
  },
};
