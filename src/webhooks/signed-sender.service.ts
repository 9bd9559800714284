import { Injectable } from '@nestjs/common';
import {
  type SealedSigningSecrets,
  type SigningSecrets,
  SigningSecretsService,
} from '../applications/signing-secrets.service.js';
import type { AuthenticEvent } from '../payments/outbox.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { UnsealError } from '../platform/kernel/keyring.js';
import { TEST_HEADER } from './events/sample-event.js';
import { type SendResult, WebhookSender } from './webhook-sender.js';
import { mayHaveOtherSecret, signatureHeaders } from './webhook-signature.pure.js';

/** One finished HTTP attempt. */
export interface Attempt {
  url: string;
  startedAt: Date;
  result: SendResult;
}

/** The one place that signs events. It sends them, as one attempt each (specification/webhooks.md#signatures). */
@Injectable()
export class SignedSender {
  constructor(
    private readonly clock: Clock,
    private readonly secrets: SigningSecretsService,
    private readonly sender: WebhookSender,
  ) {}

  /** Whether a key of the ring decrypts the secrets. */
  canSign(sealed: SealedSigningSecrets): boolean {
    return this.findSecrets(sealed) !== null;
  }

  /** Null: the secrets cannot be decrypted, so nothing was sent; an event is never sent unsigned. */
  async send(event: AuthenticEvent, url: string, sealed: SealedSigningSecrets): Promise<Attempt | null> {
    const secrets = this.findSecrets(sealed);
    if (!secrets) return null;
    const { id, type } = event;
    // The stored text; a test says in it that it is one.
    const isTest = event.testPaymentId !== null;
    const body = Buffer.from(event.body, 'utf8');
    const startedAt = this.clock.now();
    const unixSeconds = Math.floor(startedAt.getTime() / 1000);
    const post = (isRepeated: boolean) => {
      const headers = signatureHeaders({ id, type, body, unixSeconds }, secrets, { isRepeated });
      return this.sender.post(url, { ...headers, ...(isTest && TEST_HEADER) }, body);
    };
    const result = await post(false);
    const isRefused = result.kind === 'response' && mayHaveOtherSecret(result.status, secrets);
    return { url, startedAt, result: isRefused ? await post(true) : result };
  }

  private findSecrets(sealed: SealedSigningSecrets): SigningSecrets | null {
    try {
      return this.secrets.open(sealed);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}
