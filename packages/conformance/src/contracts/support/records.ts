import {
  type Client,
  type ClientSecret,
  type Endpoint,
  type NewEvent,
  type Sealed,
  shardOf,
} from '@partnerkit/core/adapter';

/** The account of a case. */
export const ours = 'acc_ours';
/** Two objects of our account that share their `objectHash`. */
export const sameHash = ['14948670721cc0', '5246ca52495bcf'] as const;
/** Another account: no case may see or change its records. */
export const theirs = 'acc_theirs';
/** A child of our account, if a case says so; a store does not know. */
export const child = 'acc_child';

/** The first account id with this prefix in the shard of `accountId`. */
export const inShardOf = (accountId: string, begin: string): string => {
  for (let number = 0; ; number++) if (shardOf(begin + number) === shardOf(accountId)) return begin + number;
};

const firstMoment = Date.UTC(2025, 0, 1);
let moments = 0;
/** Each is later than the one before, so later records have later times and ids. */
const moment = (): number => firstMoment + moments++;

/** Ids as core generates them (UUIDv7), in the order of creation. */
export const newId = (): string => {
  const hex = moment().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

export const clientSecret = (change: Partial<ClientSecret> = {}): ClientSecret => ({
  id: newId().slice(0, 13).replace('-', ''),
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  createdAt: moment(),
  revoked: false,
  ...change,
});

export const client = (change: Partial<Client> = {}): Client => ({
  id: newId(),
  accountId: ours,
  name: 'Booking system',
  createdAt: moment(),
  disabled: false,
  secrets: [clientSecret()],
  tokensNotBefore: 0,
  version: 1,
  ...change,
});

/** A sealed value; a store treats it as text. */
export const sealed = (name: string): Sealed =>
  `v1.k1.bm9uY2Vub25jZQ==.${Buffer.from(name).toString('base64')}` as Sealed;

export const endpoint = (change: Partial<Endpoint> = {}): Endpoint => ({
  id: newId(),
  accountId: ours,
  kind: 'push',
  url: 'https://partner.example/webhooks',
  events: ['payed'],
  state: 'enabled',
  standardWebhooks: false,
  includeChildren: false,
  createdAt: moment(),
  secret: sealed('secret'),
  version: 1,
  ...change,
});

/** An event about a new object, unless `change` names one. */
export const event = (change: Partial<NewEvent> = {}): NewEvent => {
  const id = newId();
  const objectId = change.objectId ?? `object of ${id}`;
  return {
    id,
    accountId: ours,
    objectName: 'RequestPayment',
    objectId,
    type: 'payed',
    bodyTail: `,"data":{"id":${JSON.stringify(objectId)}},"objectName":"RequestPayment","type":"payed"}`,
    ...change,
  };
};
