import { Contract } from '../contract/contract.js';
import { Choice, Text } from '../contract/fields.js';

/** A QR code (specification/checkout.md#payment-uri-and-qr-code). */
@Contract('QrCode', 'A QR code as an image.')
export class QrCodeContract {
  @Text({
    about:
      'The encoded text. On EVM chains and Tron it is the bare address, so show amount and network beside the code; on ' +
      'other chains it is the payment URI, or the address where there is none.',
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
  })
  content: string;

  @Choice(['image/svg+xml'], { about: 'The media type of the image.' })
  format: 'image/svg+xml';

  @Text({
    pattern: '^data:image/svg\\+xml;base64,',
    about: 'The image.',
    example: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0i',
  })
  dataUri: string;
}
