import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Constant, NestedList, Text } from '../platform/web/contract/fields.js';

@Contract('InstructionKey', 'A public Ed25519 key (RFC 8037) that payment instructions are signed with.')
export class InstructionKeyContract {
  @Constant('OKP', { about: 'Its type.' })
  kty: 'OKP';

  @Constant('Ed25519', { about: 'Its curve.' })
  crv: 'Ed25519';

  @Text({
    about: 'The 32 bytes of the key, base64url: what you pin.',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })
  x: string;

  @Text({
    about: 'Its thumbprint (RFC 7638).',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  kid: string;

  @Constant('EdDSA', { about: 'The algorithm that it is for.' })
  alg: 'EdDSA';

  @Constant('sig', { about: 'What it is for.' })
  use: 'sig';
}

@Contract('InstructionKeys', 'Public keys (RFC 7517), the newest first.')
export class InstructionKeysContract {
  @NestedList(() => InstructionKeyContract, {
    about: 'The keys. Each set of instructions has one signature by each of them.',
    example: [exampleOf(InstructionKeyContract, 'response')],
  })
  keys: InstructionKeyContract[];
}
