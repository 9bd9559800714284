import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, Count, Flag, Instant, NestedList, Text } from '../../platform/web/contract/fields.js';
import { FindingContract } from './finding.contract.js';
import { ABILITIES, type Ability } from './node-abilities.pure.js';

@Contract('TriableChain', 'A blockchain whose nodes can be tried, configured or not.')
export class TriableChainContract {
  @Text({ about: 'The blockchain.', example: 'bitcoin' })
  slug: string;

  @Text({ about: 'Its name.', example: 'Bitcoin' })
  name: string;

  @Flag({ about: 'Whether it can be read by an Esplora server instead of a node.', example: true })
  takesEsplora: boolean;
}

@Contract('NodeTrialRequest', 'A node to try.')
export class NodeTrialRequestContract {
  @Text({ min: 1, max: 40, about: 'The blockchain.', example: 'ethereum' })
  blockchain: string;

  @Choice(['node', 'esplora'], { about: 'What is at the address.', example: 'node' })
  source: 'node' | 'esplora';

  @Text({
    max: 2_048,
    // Not HttpUrl, which takes no user name and password: nodes of the Bitcoin family ask for them.
    pattern: '^https?://\\S+$',
    wrongForm: 'The address must begin with http:// or https:// and hold no space.',
    about: 'Its address, with its key if it has one. It is neither stored nor logged nor returned.',
    example: 'https://node.example.com/v1/key',
  })
  address: string;
}

@Contract('NodeAbility', 'Something that a node can do for payments, or not.')
export class NodeAbilityContract {
  @Choice(ABILITIES, {
    about:
      '`blocks`: shows payments in blocks. `mempool`: shows them before that. `tokens`: shows those in tokens. `contracts`: ' +
      'shows native coin that contracts pay. `receipts`: gives all receipts of a block at once. `finality`: names final ' +
      'blocks. `history`: still has the oldest blocks, for a long outage.',
  })
  ability: Ability;

  @Flag({ nullable: true, about: 'Null: it did not say.', example: true })
  has: boolean | null;
}

@Contract('NodeTrial', 'What a node can do for payments.')
export class NodeTrialContract {
  @Flag({ about: 'It is of this blockchain, and shows its newest block.', example: true })
  works: boolean;

  @Text({ nullable: true, about: 'The network or chain id that it had to have.', example: '1' })
  network: string | null;

  @Count({ nullable: true, about: 'Its newest block; null: it showed none.', example: 23_456_789 })
  height: number | null;

  @Instant({ nullable: true, about: 'The time of that block.' })
  headTime: string | null;

  @Count({ nullable: true, about: 'Milliseconds of one request.', example: 80 })
  latencyMs: number | null;

  @NestedList(() => NodeAbilityContract, { about: 'What it can do; empty if it does not work.' })
  abilities: NodeAbilityContract[];

  @NestedList(() => FindingContract, { about: 'What the checks of the command `doctor` say of it.' })
  findings: FindingContract[];
}
