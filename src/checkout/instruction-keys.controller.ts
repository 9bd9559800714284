import { Controller, Get, Header } from '@nestjs/common';
import { Operation, unwrapped } from '../platform/web/contract/operation.js';
import { Public } from '../platform/web/security/auth.js';
import { InstructionKeysContract } from './instruction-keys.contract.js';
import { InstructionSigner } from './instruction-signer.service.js';

/** The public keys that instructions are signed with (specification/instructions.md#keys). */
@Controller('api/instruction-keys')
@Public()
export class InstructionKeysController {
  constructor(private readonly signer: InstructionSigner) {}

  /** As text, because no envelope goes around a JWK Set. */
  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Operation({
    id: 'listInstructionKeys',
    tag: 'Payments',
    summary: 'List the keys that instructions are signed with',
    description:
      'To be pinned: before you trust a key, compare it with the one that the operator gave you over another ' +
      'channel, because a compromised gateway would serve another key here.',
    returns: unwrapped(InstructionKeysContract, 'A JWK Set (RFC 7517). Not wrapped in `data`.'),
  })
  list(): string {
    const keys: InstructionKeysContract = { keys: this.signer.publicKeys };
    return JSON.stringify(keys);
  }
}
