import type { SiteView } from './application-view.pure.js';
import { misplacedSiteFields, type SiteFields } from './misplaced-site.pure.js';

const STORED: SiteView = {
  id: 'site',
  title: 'Shop',
  url: 'https://shop.example',
  callbackUrl: null,
  settingId: 'setting',
  settingTitle: 'Default Settings',
  allowOverpay: true,
  allowUnderpay: false,
  underpayLeastShareBps: 9_500,
  underpayToleranceBps: 0,
  confirmations: {},
  events: [],
  accent: null,
  supportUrl: null,
  defaultLanguage: null,
  logoId: null,
  logoHash: null,
};

describe('misplacedSiteFields', () => {
  it.each<[string, unknown, SiteFields, SiteView | null, string[]]>([
    ['no site', undefined, {}, STORED, []],
    ['no object', 'https://shop.example', {}, STORED, []],
    ['null', null, {}, STORED, []],
    [
      'the site as it is stored',
      {
        id: 'site',
        title: 'Shop',
        url: STORED.url,
        callbackUrl: null,
        setting: { allowOverpay: true, allowUnderpay: false },
      },
      {},
      STORED,
      [],
    ],
    [
      'a new callback address',
      { callbackUrl: 'https://shop.example/hook' },
      {},
      STORED,
      ['site.callbackUrl'],
    ],
    [
      'one that is at the top level too',
      { callbackUrl: 'https://a.example' },
      { callbackUrl: 'https://a.example' },
      STORED,
      [],
    ],
    [
      'the stored one beside a new one at the top level',
      { callbackUrl: null },
      { callbackUrl: 'https://a.example' },
      STORED,
      [],
    ],
    [
      'two different ones',
      { callbackUrl: 'https://b.example' },
      { callbackUrl: 'https://a.example' },
      STORED,
      ['site.callbackUrl'],
    ],
    ['an address that is cleared', { url: null }, {}, STORED, ['site.url']],
    ['another title', { title: 'Store' }, {}, STORED, ['site.title']],
    [
      'settings in both places',
      { allowOverpay: false, setting: { allowUnderpay: true } },
      {},
      STORED,
      ['site.allowOverpay', 'site.setting.allowUnderpay'],
    ],
    [
      'a new application that repeats the defaults',
      { url: null, setting: { allowOverpay: true } },
      {},
      null,
      [],
    ],
    ['a new application with an address', { url: 'https://shop.example' }, {}, null, ['site.url']],
    ['inherited names', Object.create({ url: 'x' }), {}, STORED, []],
  ])('%s', (_name, site, given, stored, fields) =>
    expect(Object.keys(misplacedSiteFields(site, given, stored))).toEqual(fields),
  );

  it('names the place where the field belongs', () =>
    expect(misplacedSiteFields({ title: 'Store' }, {}, STORED)).toEqual({
      'site.title': ['The site.title field is not read here: send name at the top level of the body.'],
    }));
});
