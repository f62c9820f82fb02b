import type {
  Account,
  EndpointInput,
  EpochMs,
  HttpResponse,
  ObjectDefinition,
  ObjectName,
  PairsOf,
  Partnerkit,
  PartnerkitOptions,
  Route,
  Signal,
} from '@partnerkit/core';
import type { Random, Sender, Storage } from '@partnerkit/core/adapter';
import type { ManualClock } from './clock.ts';
import type { InProcessRequest } from './in-process.ts';
import type { ScriptedPartner } from './script.ts';
import type { ScriptedSender } from './sender.ts';

/**
 * Options of {@link scriptedHost}: every option of `createPartnerkit`, and those below.
 * @public
 */
export interface ScriptedHostOptions<Tx extends object, D extends readonly ObjectDefinition[]>
  extends Partial<Omit<PartnerkitOptions<Tx, D>, 'accounts' | 'sender' | 'observe' | 'advanced'>> {
  /** The object kinds that the platform publishes. @defaultValue one for each object of the specification */
  readonly objects?: D;
  /** Additional accounts; one with the id of a default account replaces it. */
  readonly accounts?: readonly Account[];
  /**
   * The clock that the test advances. A `storage` of your own must use the same clock.
   * @defaultValue a new manual clock
   */
  readonly clock?: ManualClock;
  /** Source of randomness. @defaultValue seeded, so every run is the same */
  readonly random?: Random;
  /** A real sender, and a partner that it reaches. @defaultValue a scripted sender */
  readonly network?: {
    readonly sender: Sender;
    /** The partner, such as a scripted receiver. */
    readonly partner: ScriptedPartner;
  };
  /** Routes of the host, served beside those of the kit. @defaultValue none */
  readonly routes?: (kit: Partnerkit<Tx, D[number]>) => readonly Route[];
}

/** A client, with its credentials. @public */
export interface HostClient {
  /** The client id. */
  readonly id: string;
  /** The account of the client. */
  readonly accountId: string;
  readonly secretId: string;
  /** The client secret, in clear text. */
  readonly secret: string;
}

/** A webhook endpoint, with its signing secret. @public */
export interface HostEndpoint {
  /** The id of the endpoint. */
  readonly id: string;
  /** The account of the endpoint. */
  readonly accountId: string;
  /** The webhook URL. */
  readonly url: string;
  /** The signing secret, in clear text. */
  readonly secret: string;
}

/**
 * The event to publish; every field has a default.
 * @public
 */
export interface HostEvent<D extends ObjectDefinition> {
  /** @defaultValue the id of the own account */
  readonly accountId?: string;
  /** @defaultValue an object that has `type`: `RequestPayment` if it does */
  readonly objectName?: ObjectName<PairsOf<D>>;
  /** @defaultValue `payed`, or the first type of an object without `payed` */
  readonly type?: PairsOf<D>[ObjectName<PairsOf<D>>];
  /** `data.id`. @defaultValue a new id */
  readonly id?: string;
  /** The other fields of `data`. @defaultValue none */
  readonly data?: Readonly<Record<string, unknown>>;
  /** When the event happened. @defaultValue none: core uses the time of the dispatch */
  readonly occurredAt?: EpochMs;
  /** Idempotency key of the event. @defaultValue none */
  readonly idempotencyKey?: string;
}

/** A published event, as the assertions take it. @public */
export interface HostPublished {
  readonly eventId: string;
  /** The account of the event. */
  readonly accountId: string;
  readonly objectName: string;
  /** The event type. */
  readonly type: string;
  /** `data.id`, the id of the object. */
  readonly id: string;
}

/**
 * A platform in one process, with one partner that has a client and an endpoint for every event type. Its functions
 * work without `this`.
 * @public
 */
export interface ScriptedHost<Tx extends object, D extends ObjectDefinition> {
  /** The kit of the platform. */
  readonly kit: Partnerkit<Tx, D>;
  /** The storage of the platform. */
  readonly storage: Storage<Tx>;
  /** The clock of the platform. */
  readonly clock: ManualClock;
  /** The initial accounts, active and in `prod`. */
  readonly accounts: {
    /** `acc_own`. */
    readonly own: Account;
    /** `acc_child`, a child of `acc_own`. */
    readonly child: Account;
    /** `acc_foreign`, unrelated. */
    readonly foreign: Account;
  };
  /** The client of `acc_own`. */
  readonly client: HostClient;
  /** The endpoint of `acc_own`. */
  readonly endpoint: HostEndpoint;
  /** The receiver behind `endpoint`; it trusts its secret. */
  readonly partner: ScriptedPartner;
  /** Partners at other URLs; not used with a `network` of your own. */
  readonly sender: ScriptedSender;
  /** Every signal so far. */
  readonly signals: readonly Signal[];
  /** Adds or changes an account; the next request sees it. */
  setAccount(account: Account): void;
  /** Adds a client to an account. */
  addClient(accountId: string): Promise<HostClient>;
  /** @defaultValue input: a new URL, every event type */
  addEndpoint(accountId: string, input?: Partial<EndpointInput<PairsOf<D>>>): Promise<HostEndpoint>;
  /** Publishes in your transaction, or in a new one. Rejects like `kit.events.publish`. */
  publish(event?: HostEvent<D>, tx?: Tx): Promise<HostPublished>;
  /** Attempts everything that is due, and resolves to the number of attempts. */
  deliver(): Promise<number>;
  /**
   * Advances the clock by about a day at a time and attempts, until no delivery is pending; resolves to the number of
   * attempts.
   */
  deliverAll(): Promise<number>;
  /** Logs in over HTTP, and resolves to the access token. Rejects when the login is refused. @defaultValue `client` */
  login(client?: Pick<HostClient, 'id' | 'secret'>): Promise<string>;
  /** Sends a request to the routes of the platform, without a socket. */
  request(method: string, target: string, request?: InProcessRequest): Promise<HttpResponse>;
}
