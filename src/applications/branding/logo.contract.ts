import { Contract } from '../../platform/web/contract/contract.js';
import { fromText } from '../../platform/web/contract/conversions.js';
import { Choice, Count, FieldOf, Text, Uuid } from '../../platform/web/contract/fields.js';
import { rule } from '../../platform/web/contract/rules.js';
import { MAX_LOGO } from './logo.pure.js';

/** Of 64 KiB. */
const MAX_BASE64 = Math.ceil(MAX_LOGO / 3) * 4;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const EXAMPLE_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10" fill="#1747d1"/></svg>';

/** As it was sent, unless it could be decoded. */
function logoProblem(content: unknown): string | null {
  if (Buffer.isBuffer(content)) return null;
  if (typeof content !== 'string') return 'be a string';
  if (content.length > MAX_BASE64) return `be a picture of at most ${MAX_LOGO} bytes`;
  return 'be the bytes of a picture in padded standard base64';
}

@Contract('PutApplicationLogo', 'A new logo.')
export class PutLogoContract {
  @FieldOf(
    {
      schema: () => ({
        type: 'string',
        contentEncoding: 'base64',
        pattern: BASE64.source,
        minLength: 4,
        maxLength: MAX_BASE64,
      }),
      convert: fromText((text) =>
        text !== '' && text.length <= MAX_BASE64 && BASE64.test(text) ? Buffer.from(text, 'base64') : null,
      ),
      rules: [rule('logo', logoProblem)],
    },
    {
      about:
        'The picture in standard base64: a PNG of at most 1,024 by 1,024 pixels, or an SVG in UTF-8, which is served so that it can neither run nor load anything. At most 65,536 bytes.',
      example: Buffer.from(EXAMPLE_SVG).toString('base64'),
    },
  )
  content: Buffer;
}

@Contract('ApplicationLogo', 'The logo of a payment application.')
export class LogoContract {
  @Uuid({ about: 'The picture.', example: '5d0c3a8e-1f2b-4c6d-8e9f-0a1b2c3d4e5f' })
  id: string;

  @Text({
    format: 'uri',
    about: 'Where it is, for everybody. Another picture has another address, so it may be cached for good.',
    example:
      'https://pay.example/checkout/assets/logo/7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69/ab530a13e45914982b79f9b7e3fba994cfd1f3fb22f71cea1afbf02b460c6d1d',
  })
  url: string;

  @Choice(['image/png', 'image/svg+xml'], { about: 'What it is served as.' })
  mediaType: 'image/png' | 'image/svg+xml';

  @Count({
    about: 'Its bytes as it is served: of a PNG, without texts, times and camera data.',
    example: 118,
    max: MAX_LOGO,
  })
  size: number;
}
