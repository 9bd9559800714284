import { type Answer, MerchantServer } from '../support/merchant-server.js';

/** One event as the merchant received it. */
export interface Heard {
  id: string;
  event: string;
  paymentId: string;
}

/** The HTTPS endpoint of a merchant that answers 200 after a delay, and the events that it received. */
export class MerchantEndpoint {
  readonly heard: Heard[] = [];
  /** Milliseconds before each answer. */
  delayMs = 0;
  /** Requests that are not answered yet. */
  underWay = 0;

  private constructor(private readonly server: MerchantServer) {
    server.choose = ({ body }) => {
      const { id, event, payment } = JSON.parse(body.toString('utf8')) as {
        id: string;
        event: string;
        payment: { id: string };
      };
      this.heard.push({ id, event, paymentId: payment.id });
      return this.delayed();
    };
  }

  static async start(): Promise<MerchantEndpoint> {
    return new MerchantEndpoint(await MerchantServer.start({ isHttps: true }));
  }

  get url(): string {
    return this.server.url;
  }

  /** In PEM, for NODE_EXTRA_CA_CERTS. */
  get certificate(): string {
    return this.server.certificate;
  }

  stop(): Promise<void> {
    return this.server.down();
  }

  private delayed(): Answer {
    this.underWay++;
    const after = new Promise<void>((resolve) => setTimeout(resolve, this.delayMs)).then(() => {
      this.underWay--;
    });
    return { status: 200, body: 'ok', after };
  }
}
