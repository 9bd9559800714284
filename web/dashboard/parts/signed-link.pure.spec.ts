import { isSigned } from './signed-link.pure.js';

const PAGE = 'https://pay.example/checkout/550e8400-e29b-41d4-a716-446655440000';

it.each([
  [`${PAGE}?expires=1773576000&signature=8bcb`, true],
  [PAGE, false],
  [`${PAGE}?expires=1773576000`, false],
])('%s: %s', (link, expected) => expect(isSigned(link)).toBe(expected));
