import type { ResultAsync } from '#result';
import type { AccountRoute } from '../../api/partner/account-route.ts';
import {
  assertOptions,
  booleanOption,
  every,
  exactly,
  functionOption,
  listOf,
  must,
  type OptionRules,
  optional,
  port,
  problem,
  text,
  wholeNumber,
} from '../../base/runtime/option-rules.ts';
import type { DurationMs, EpochMs } from '../../base/runtime/time.ts';
import type { ObjectKind } from '../../base/signals/actor.ts';
import { specifiedCatalogue } from '../../webhooks/catalogue/specified-catalogue.ts';
import type { Endpoints } from '../../webhooks/endpoints/endpoints.ts';
import type { TestEventFailure } from '../../webhooks/events/test-event.ts';
import type { PublishCommandEvents, SpecifiedEvent } from '../commands/command-events.ts';
import type { OnCommand } from '../commands/on-command.ts';
import { isOrigin, originRule } from '../commands/return-urls.ts';
import { extensionsRule } from '../extensions/assert-extensions.ts';
import type { RequestExtensions } from '../extensions/extension.ts';
import type { SecurityDeposit } from '../kinds/deposit-fields.ts';
import type { PaymentRequest } from '../kinds/payment.ts';
import { policyRules, type RequestPolicies } from '../record/policies.ts';
import type { AccountRef } from '../record/record.ts';
import type { EvidenceUploads } from './evidence-upload.ts';
import { findInternals } from './kit-internals.ts';

/**
 * What requests call of a kit, whose objects have every pair of the specification.
 * @public
 */
export interface RequestsKit<Tx extends object> {
  /** Makes the routes. */
  readonly accountRoute: AccountRoute;
  /** Publishes the events of commands, and sends test events. */
  // Properties, not methods: their parameters are compared strictly, so a kit that lacks a pair does not compile.
  readonly events: {
    /** Publishes the events of a command. */
    readonly publishMany: PublishCommandEvents<Tx>;
    /** Sends a test event. */
    readonly sendTest: (
      accountId: string,
      endpointId: string,
      event: SpecifiedEvent<unknown>,
    ) => ResultAsync<{ readonly eventId: string }, TestEventFailure>;
  };
  /** Lists the endpoints that test events are sent to. */
  readonly endpoints: Pick<Endpoints, 'list'>;
}

/**
 * The options of {@link createRequests}.
 * @public
 */
export interface RequestsOptions<Tx extends object, X extends RequestExtensions = RequestExtensions>
  extends RequestPolicies {
  /**
   * The kit. The requests are in its storage, on its clock. Among its `objects` are `requestObjects`, or definitions of
   * your own with their names and event types that accept the same data.
   */
  readonly kit: RequestsKit<Tx>;
  /** Your own fields, by kind of object. Pass the same to `extendRequestObjects`. @defaultValue none */
  readonly extend?: X;
  /**
   * Called inside the transaction of every command: write your ledger, enqueue your e-mail, publish.
   * @defaultValue none
   */
  readonly onCommand?: OnCommand<Tx>;
  /**
   * Timeout of `onCommand`, `newId`, `paymentUrl` and `returnOrigins`, of each alone, in milliseconds; then the command
   * fails and its transaction is rolled back. @defaultValue 5000
   */
  readonly onCommandTimeout?: DurationMs;
  /**
   * Returns the id of a new object: 1 to 256 bytes other than `batch`, unique among its kind over all accounts. Called
   * inside the transaction of the command, with the timeout `onCommandTimeout`.
   * @defaultValue a UUID of version 7
   */
  readonly newId?: (
    object: ObjectKind,
    context: {
      /** The account of the object. */
      readonly account: AccountRef;
      /** The transaction of the command. */
      readonly tx: Tx;
      /** The same in each try of the command: hand it to your processor, so that it acts once. */
      readonly idempotencyKey: string;
      /** Aborts when the call is given up. */
      readonly signal: AbortSignal;
    },
  ) => Promise<string>;
  /**
   * Returns the HTTPS address where the recipient of a new payment request or security deposit pays, alone or with its
   * expiry. Called inside the transaction of the command, with the timeout `onCommandTimeout`. A provider that may be
   * slow is better called after the commit: `setPaymentUrl` sets or changes the address later.
   * @defaultValue none
   */
  readonly paymentUrl?: (created: NewRequestRecord<Tx>) => Promise<string | PaymentUrl | undefined>;
  /**
   * The origins to which your payment page may return a recipient, such as `https://shop.example`: for all accounts, or
   * for one. `returnUrl` and `cancelUrl` of another origin are refused. A function is called inside the transaction of
   * a command that names such an address, with the timeout `onCommandTimeout`.
   * @defaultValue none
   */
  readonly returnOrigins?:
    | readonly string[]
    | ((context: {
        /** The account of the request. */
        readonly account: AccountRef;
        /** The transaction of the command. */
        readonly tx: Tx;
        /** The same in each try of the command: hand it to your processor, so that it acts once. */
        readonly idempotencyKey: string;
        /** Aborts when the call is given up. */
        readonly signal: AbortSignal;
      }) => Promise<readonly string[]>);
  /**
   * Makes the signed addresses to which partners upload evidence: `POST …/evidence` answers them. With the timeout
   * `onCommandTimeout`.
   * @defaultValue none: the path answers 404
   */
  readonly evidenceUpload?: EvidenceUploads;
  /**
   * Refuses a `reference` that another object of the same kind and account has (`reference_taken`).
   * @defaultValue false
   */
  readonly uniqueReferences?: boolean;
  /**
   * Environments in which partners may give the host's commands to test their integration: `POST
   * …/{id}/simulate/{command}` and `POST …/webhooks/test`. Elsewhere these paths return 404.
   * @defaultValue none
   */
  readonly testEnvironments?: readonly string[];
}

/**
 * The address where a recipient pays, with its expiry.
 * @public
 */
export interface PaymentUrl {
  /** HTTPS, at most 2,048 visible ASCII characters. */
  readonly url: string;
  /** When it expires: a time in the future. @defaultValue never */
  readonly expiresAt?: EpochMs;
}

/**
 * A new payment request or security deposit, as `paymentUrl` receives it.
 * @public
 */
export type NewRequestRecord<Tx extends object> = {
  /** The transaction of the command. */
  readonly tx: Tx;
  /**
   * The same in each try of the command, which may be applied again after a lost race: hand it to your processor, so
   * that what is done outside `tx` is done once.
   */
  readonly idempotencyKey: string;
  /** Aborts when the call is given up: pass it to `fetch`. */
  readonly signal: AbortSignal;
} & (
  | {
      readonly object: 'RequestPayment';
      /** The payment request, before it is stored. */
      readonly record: PaymentRequest;
    }
  | {
      readonly object: 'RequestSecurityDeposit';
      /** The security deposit, before it is stored. */
      readonly record: SecurityDeposit;
    }
);

const kitRemedy = 'Hand over your kit.';
/** The first pair of the specification that no object of a kit has. */
const missingPair = (kit: unknown): string | undefined => {
  const missing = specifiedCatalogue.entries.find(
    ({ objectName, type }) => findInternals(kit)?.catalogue.has(objectName, type) === false,
  );
  return missing && `${missing.objectName}.${missing.type}`;
};
const kitRule = every(
  port<Pick<RequestsKit<object>, 'accountRoute'>>({ accountRoute: true }, kitRemedy),
  must('is no kit. Hand over what createPartnerkit returned.', (kit) => findInternals(kit) !== undefined),
  (kit) => {
    const missing = missingPair(kit);
    return missing === undefined
      ? []
      : problem(
          `has no event ${missing}, which its commands publish. Make the kit with requestObjects among its objects; a ` +
            'definition of your own in their place needs events.default, for types that it does not list.',
        );
  },
);
const optionsRule = exactly({
  kit: kitRule,
  extend: optional(extensionsRule),
  onCommand: optional(functionOption),
  onCommandTimeout: optional(wholeNumber(1)),
  newId: optional(functionOption),
  paymentUrl: optional(functionOption),
  returnOrigins: optional(
    must(
      `must be a list of origins, each ${originRule}, or a function that resolves to one.`,
      (given) => typeof given === 'function' || (Array.isArray(given) && given.every(isOrigin)),
    ),
  ),
  evidenceUpload: optional(functionOption),
  uniqueReferences: optional(booleanOption),
  ...policyRules,
  testEnvironments: optional(listOf(text(), 'must be a list of environments.')),
} satisfies OptionRules<keyof RequestsOptions<object>>);

/** @throws TypeError that names each wrong option. */
export const assertRequestsOptions = (options: unknown): void => assertOptions('createRequests', optionsRule, options);
