import { createTransport } from 'nodemailer';
import type { Config } from '../config.js';
import { LOOPBACK_HOSTS } from '../platform/kernel/dns/ip-address.pure.js';
import { mailFailureText } from './mail-failure.pure.js';
import { fillTemplate, type Written } from './notice-text.pure.js';

/** Milliseconds for each step of a conversation with a mail server, and for the whole POST. */
const TIMEOUT = 15_000;
/** The server will not take this recipient (RFC 5321 section 4.2.1: 5yz is permanent). */
const REFUSED_RECIPIENT = 'EENVELOPE';

/** It was not sent, or nobody knows. `code` holds nothing that is private. */
export class NoticeFailure extends Error {
  constructor(
    readonly code: string,
    /** Trying again is of no use. */
    readonly isFinal: boolean,
  ) {
    super(code);
  }
}

export interface Mail {
  /** Of the notice: the same in every attempt, so that a mail that came twice can be told. */
  id: string;
  to: string;
  subject: string;
  text: string;
  language: string;
}

/** Brings a notice out of the gateway: over SMTP, or as a POST to the operator's channel. */
export class NoticeSender {
  private readonly transport: ReturnType<typeof createTransport> | null;

  constructor(
    private readonly config: Config['notices'],
    private readonly host: string,
  ) {
    this.transport = config.mail && transportOf(config.mail.url);
  }

  /** @throws NoticeFailure */
  async mail({ id, to, subject, text, language }: Mail): Promise<void> {
    if (!this.transport || !this.config.mail) throw new NoticeFailure('no mail server', true);
    try {
      await this.transport.sendMail({
        from: this.config.mail.from,
        // As a structure: a text would be parsed, and could name several.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${this.host}>`,
        // RFC 3834: nobody's absence note answers it.
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
      });
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** @throws NoticeFailure */
  async post(written: Written): Promise<void> {
    const { channel } = this.config;
    if (!channel) throw new NoticeFailure('no channel', true);
    const { body, contentType } = fillTemplate(channel.template, written);
    let status: number;
    try {
      // No guard against private addresses: the URL is the operator's own, and often in their network.
      const response = await fetch(channel.url, {
        method: 'POST',
        headers: { 'Content-Type': contentType },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      ({ status } = response);
      await response.body?.cancel();
    } catch {
      // Its text may have the URL, and with it a secret.
      throw new NoticeFailure('unreachable', false);
    }
    if (status < 200 || status > 299) throw new NoticeFailure(`HTTP ${status}`, false);
  }

  close(): void {
    this.transport?.close();
  }
}

function transportOf(text: string): ReturnType<typeof createTransport> {
  const { protocol, hostname, port, username, password } = new URL(text);
  const secure = protocol === 'smtps:';
  const isHere = LOOPBACK_HOSTS.includes(hostname);
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Credentials and links do not cross a network in the clear.
    requireTLS: !secure && !isHere,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    // A mail is made of texts alone: no file or URL is read for one.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The texts of a mail server repeat addresses, and are left out. */
function failureOf(error: unknown): NoticeFailure {
  const { code, originalCode, responseCode } = error as Record<string, unknown>;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  const reply = typeof responseCode === 'number' ? responseCode : null;
  const isFinal = code === REFUSED_RECIPIENT && reply !== null && reply >= 500;
  const text = mailFailureText({ code: textOf(code), cause: textOf(originalCode), reply });
  return new NoticeFailure(text, isFinal);
}
