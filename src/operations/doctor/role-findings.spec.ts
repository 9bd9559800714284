import { assessRole, type RoleFacts } from './role-findings.js';

const RESTRICTED: RoleFacts = {
  name: 'gateway_app',
  isSuperuser: false,
  ownsTables: false,
  canDisableTriggers: false,
  canCreate: false,
  rights: { missing: [], excess: [] },
};
const RIGHTS = ['a', 'b', 'c', 'd'].map((table) => ({ table, right: 'delete' }));

describe('assessRole', () => {
  it.each<[string, Partial<RoleFacts>, string, RegExp]>([
    ['a restricted role', {}, 'ok', /no others/],
    ['a superuser', { isSuperuser: true, canCreate: true }, 'warning', /is a superuser/],
    ['the owner of the tables', { ownsTables: true }, 'warning', /owns the gateway/],
    ['a right to disable triggers', { canDisableTriggers: true }, 'failure', /session_replication_role/],
    [
      'more rights than needed',
      { rights: { missing: [], excess: RIGHTS } },
      'failure',
      /does not need: delete on a, delete on b, delete on c, 1 more/,
    ],
    [
      'fewer rights than needed',
      { rights: { missing: RIGHTS.slice(0, 1), excess: [] } },
      'failure',
      /lacks rights: delete on a$/,
    ],
    ['a right to create', { canCreate: true }, 'warning', /temporary tables/],
  ])('finds %s', (_what, changes, severity, found) => {
    const [finding, ...more] = assessRole({ ...RESTRICTED, ...changes });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity, found: expect.stringMatching(found) });
  });
});
