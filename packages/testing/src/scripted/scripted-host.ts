import type {
  Account,
  EndpointInput,
  EpochMs,
  EventType,
  HttpResponse,
  ObjectDefinition,
  ObjectName,
  Partnerkit,
  PartnerkitOptions,
  Route,
  Sender,
  Signal,
  Storage,
} from '@partnerkit/core';
import type { ManualClock } from './clock.ts';
import type { InProcessRequest } from './in-process.ts';
import type { ScriptedPartner } from './script.ts';
import type { ScriptedSender } from './sender.ts';

/**
 * What is to be different from the platform that comes by itself. Every option of `createPartnerkit` is one.
 * @public
 */
export interface ScriptedHostOptions<Tx extends object, D extends readonly ObjectDefinition[]>
  extends Partial<Omit<PartnerkitOptions<Tx, D>, 'accounts' | 'clock' | 'sender' | 'observe'>> {
  /** Further accounts; one with the id of a known one takes its place. */
  readonly accounts?: readonly Account[];
  /** The clock that the test moves. Storage of your own must take its time from it, or no time passes there. */
  readonly clock?: ManualClock;
  /** A real sender and a partner that it reaches, such as a scripted receiver. @defaultValue a scripted sender */
  readonly network?: { readonly sender: Sender; readonly partner: ScriptedPartner };
  /** Routes of the host's own, to be served beside the kit's. */
  readonly routes?: (kit: Partnerkit<Tx, D[number]>) => readonly Route[];
}

/** A client, with what it logs in with. @public */
export interface HostClient {
  readonly id: string;
  readonly accountId: string;
  readonly secretId: string;
  readonly secret: string;
}

/** A webhook endpoint, with the secret that signs. @public */
export interface HostEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly secret: string;
}

/**
 * What to publish; each field has a default.
 * @public
 */
export interface HostEvent {
  /** @defaultValue the own account's */
  readonly accountId?: string;
  /** @defaultValue one that has `type`: `RequestPayment`, if it does */
  readonly objectName?: ObjectName;
  /** @defaultValue `payed`, or `creation` of an object that is never payed */
  readonly type?: EventType;
  /** `data.id`. @defaultValue a new one */
  readonly id?: string;
  /** The rest of `data`. @defaultValue nothing */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly occurredAt?: EpochMs;
  readonly idempotencyKey?: string;
}

/** An event that was published: what assertions take. @public */
export interface HostPublished {
  readonly eventId: string;
  readonly accountId: string;
  readonly objectName: ObjectName;
  readonly type: EventType;
  readonly id: string;
}

/**
 * A whole platform in one process, with one partner who has a client and an endpoint for every event type. Its functions need
 * no `this`.
 * @public
 */
export interface ScriptedHost<Tx extends object, D extends ObjectDefinition> {
  readonly kit: Partnerkit<Tx, D>;
  readonly storage: Storage<Tx>;
  readonly clock: ManualClock;
  /** As they were at first, active and in `prod`: `acc_own`, its child `acc_child`, and `acc_foreign`, which is nobody's. */
  readonly accounts: { readonly own: Account; readonly child: Account; readonly foreign: Account };
  /** Of `acc_own`. */
  readonly client: HostClient;
  /** Of `acc_own`. */
  readonly endpoint: HostEndpoint;
  /** Who receives at `endpoint`; it trusts its secret. */
  readonly partner: ScriptedPartner;
  /** Partners at other URLs; has nothing to do with a `network` of your own. */
  readonly sender: ScriptedSender;
  /** Every signal so far. */
  readonly signals: readonly Signal[];
  /** Adds an account, or changes one: the next request sees it. */
  setAccount(account: Account): void;
  addClient(accountId: string): Promise<HostClient>;
  /** @defaultValue input: a URL of its own, every event type */
  addEndpoint(accountId: string, input?: Partial<EndpointInput>): Promise<HostEndpoint>;
  /** Publishes in your transaction, or in one of its own. Rejects as `kit.events.publish` does. */
  publish(event?: HostEvent, tx?: Tx): Promise<HostPublished>;
  /** Attempts all that is due, and resolves to how many attempts that were. */
  deliver(): Promise<number>;
  /** Lets time pass, a day or so at a time, and attempts, until no delivery waits; resolves to how many attempts that were. */
  deliverAll(): Promise<number>;
  /** Logs in over HTTP, and resolves to the access token. Rejects when the login is refused. @defaultValue `client` */
  login(client?: Pick<HostClient, 'id' | 'secret'>): Promise<string>;
  /** Issues a request to the platform's routes, without a socket. */
  request(method: string, target: string, request?: InProcessRequest): Promise<HttpResponse>;
}
