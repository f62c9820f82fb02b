import { argon2Sync, createHash, createHmac, scryptSync, timingSafeEqual } from 'node:crypto';
import bcrypt from 'bcryptjs';
import { Webhook } from 'standardwebhooks';

/** An event, as the old platform writes it. */
export interface OldEvent {
  readonly id: string;
  /** In seconds since 1970. */
  readonly timestamp: number;
  readonly accountId: string;
  readonly objectName: string;
  readonly type: string;
  readonly data: { readonly id: string; readonly status: string };
}

type Headers = Readonly<Record<string, string>>;

/** A way to write and sign, and what partners verify with. */
interface Form {
  write(event: Omit<OldEvent, 'accountId' | 'data'> & { readonly data: object }): string;
  sign(event: { readonly id: string; readonly at: number }, body: string, secret: string): Headers;
  /** Throws or returns false when a request is not genuine. */
  verify(headers: Headers, body: string, secret: string): boolean;
}

const hexOf = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

export const forms: Readonly<Record<'github' | 'stripe' | 'svix', Form>> = {
  github: {
    write: ({ id, timestamp, objectName, type, data }) =>
      JSON.stringify({ uid: id, event: `${objectName}/${type}`, at: timestamp, object: data }),
    sign: (_, body, secret) => ({ 'x-acme-signature': `sha256=${hexOf(secret, body)}` }),
    verify: (headers, body, secret) => headers['x-acme-signature'] === `sha256=${hexOf(secret, body)}`,
  },
  stripe: {
    write: ({ id, timestamp, objectName, type, data }) =>
      JSON.stringify({ id: `evt_${id}`, created: timestamp, type: `${objectName}.${type}`, data: { object: data } }),
    sign: ({ at }, body, secret) => ({ 'acme-signature': `t=${at},v1=${hexOf(secret, `${at}.${body}`)}` }),
    verify: (headers, body, secret) => {
      const [, at, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['acme-signature'] ?? '') ?? [];
      return digest === hexOf(secret, `${at}.${body}`);
    },
  },
  svix: {
    write: ({ id, objectName, type, data }) =>
      JSON.stringify({ eventId: id, eventType: `${objectName}.${type}`, data }),
    sign: ({ id, at }, body, secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const digest = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
      return { 'svix-id': id, 'svix-timestamp': String(at), 'svix-signature': `v1,${digest}` };
    },
    // As the library of Svix: it reads its own names, and verifies as that of Standard Webhooks.
    verify: (headers, body, secret) => {
      const named = ['id', 'timestamp', 'signature'].map((part) => [`webhook-${part}`, headers[`svix-${part}`] ?? '']);
      new Webhook(secret).verify(body, Object.fromEntries(named));
      return true;
    },
  },
};

const kinds = ['sha256', 'bcrypt', 'scrypt', 'argon2'] as const;
type Digest = (typeof kinds)[number];

export interface OldClient {
  readonly id: string;
  readonly accountId: string;
  readonly secret: string;
  readonly kind: Digest;
  readonly salt: string;
  readonly digest: string;
}

const argon2 = (message: string, salt: string): string =>
  argon2Sync('argon2id', { message, nonce: salt, parallelism: 1, tagLength: 32, memory: 8, passes: 1 }).toString('hex');

const digestOf = (kind: Digest, secret: string, salt: string): string => {
  if (kind === 'sha256') return createHash('sha256').update(secret).digest('hex');
  if (kind === 'bcrypt') return bcrypt.hashSync(secret, 4);
  return kind === 'scrypt' ? scryptSync(secret, salt, 32, { N: 16 }).toString('hex') : argon2(secret, salt);
};

const isSecret = ({ kind, salt, digest }: OldClient, secret: string): boolean =>
  kind === 'bcrypt'
    ? bcrypt.compareSync(secret, digest)
    : timingSafeEqual(Buffer.from(digestOf(kind, secret, salt)), Buffer.from(digest));

const random = (label: string, index: number): Buffer => createHash('sha256').update(`${label} ${index}`).digest();

export interface OldEndpoint {
  readonly reference: string;
  readonly accountId: string;
  readonly url: string;
  readonly form: keyof typeof forms;
  readonly secret: string;
}

/** Ten clients of each account with digests in four forms, and 15 endpoints that sign in three. */
export const oldRows = (accountIds: readonly string[]) => {
  const accountOf = (index: number): string => accountIds[index % accountIds.length] as string;
  const clients = Array.from({ length: 10 * accountIds.length }, (_, index): OldClient => {
    const kind = kinds[index % 4] as Digest;
    const [salt, secret] = [random('salt', index).toString('hex'), random('client', index).toString('base64url')];
    const id = index % 2 === 0 ? `partner:${index}@acme/v2` : `${10_000 + index}`;
    return { id, accountId: accountOf(index), secret, kind, salt, digest: digestOf(kind, secret, salt) };
  });
  const names = ['github', 'stripe', 'svix'] as const;
  const endpoints = Array.from({ length: 15 * accountIds.length }, (_, index): OldEndpoint => {
    const form = names[index % 3] as OldEndpoint['form'];
    const bytes = random('endpoint', index).subarray(0, 24);
    const secret = form === 'svix' ? `whsec_${bytes.toString('base64')}` : bytes.toString('hex');
    const url = `https://partner-${index}.example/in`;
    return { reference: `hook/${index}`, accountId: accountOf(index), url, form, secret };
  });
  return { clients, endpoints };
};

interface OldPlatform {
  readonly clients: readonly OldClient[];
  readonly endpoints: readonly OldEndpoint[];
  /** The time in seconds since 1970. */
  readonly now: () => number;
  /** One POST; resolves to the status. */
  readonly post: (url: string, headers: Headers, body: string) => number;
}

/** The old platform at work: its login, its tokens, and a sender with a queue for each account. */
export const startOldPlatform = ({ clients, endpoints, now, post }: OldPlatform) => {
  const tokens = new Map<
    string,
    { readonly clientId: string; readonly issuedAt: number; readonly expiresAt: number }
  >();
  const queues = new Map<string, (readonly [OldEvent, OldEndpoint])[]>();
  const stopped = new Set<string>();
  const queueOf = (accountId: string) => queues.get(accountId) ?? [];
  const enqueue = (event: OldEvent, to = endpoints.filter(({ accountId }) => accountId === event.accountId)): void => {
    queues.set(event.accountId, [...queueOf(event.accountId), ...to.map((each) => [event, each] as const)]);
  };
  return {
    verifySecret: (clientId: string, secret: string): boolean => {
      const found = clients.find(({ id }) => id === clientId);
      return found !== undefined && isSecret(found, secret);
    },
    login(clientId: string, secret: string): string | undefined {
      if (!this.verifySecret(clientId, secret)) return undefined;
      const token = `old.${tokens.size}`;
      tokens.set(token, { clientId, issuedAt: now(), expiresAt: now() + 30 * 86_400 });
      return token;
    },
    verifyToken: (token: string) => tokens.get(token),
    publish: (event: OldEvent): void => {
      if (!stopped.has(event.accountId)) enqueue(event);
    },
    /** Sends what waits. What a partner does not take stays in the queue. */
    send: (): void => {
      for (const [accountId, queue] of queues)
        queues.set(
          accountId,
          queue.filter(([event, { form, url, secret }]) => {
            const body = forms[form].write(event);
            const status = post(url, forms[form].sign({ id: event.id, at: now() }, body, secret), body);
            return status < 200 || status > 299;
          }),
        );
    },
    isIdle: (accountId: string): boolean => queueOf(accountId).length === 0,
    /** Takes no more events of an account; those of its queue are still sent. */
    stop: (accountId: string): void => {
      stopped.add(accountId);
    },
    /** Goes on with an account, and sends what the other side left. */
    start: (accountId: string, left: readonly (readonly [OldEvent, readonly OldEndpoint[]])[]): void => {
      stopped.delete(accountId);
      for (const [event, to] of left) enqueue(event, [...to]);
    },
  };
};
