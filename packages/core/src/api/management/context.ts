import { z } from 'zod';
import { documentation } from '#documentation';
import { okAsync, type ResultAsync } from '#result';
import type { Account } from '../../base/accounts/account.ts';
import type { Right } from '../../base/accounts/rights.ts';
import { present } from '../../base/fields/present.ts';
import { secondsView } from '../../base/fields/values.ts';
import type { Deprecation } from '../../base/http/deprecation.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import { once } from '../../base/runtime/once.ts';
import { type DurationMs, toSeconds } from '../../base/runtime/time.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import type { WireProfiles } from '../../webhooks/signature/wire-profile.ts';
import { sampleInput, sentPart } from '../operations/sample.ts';
import { type KeyRow, keyRow, operation } from './operation.ts';
import type { ManagementSession } from './session.ts';

/** What the operations read beside the calls of a kit. */
export interface ManagementContext {
  readonly objects: readonly ObjectDefinition[];
  readonly profiles: Pick<WireProfiles, 'of' | 'names'>;
  /** Whether the API has operations on requests. */
  readonly hasRequests: boolean;
  /** The rights that API keys can be given here. */
  readonly rights: () => readonly Right[];
  /** Those, and further ones of parts that are not served. */
  readonly allRights: readonly Right[];
  /** Whether API keys can have `networks` here. */
  readonly hasNetworks: boolean;
  /** Whether API keys can have `jwks` here. */
  readonly hasPublicKeys: boolean;
  readonly findAccount: (accountId: string) => ResultAsync<Account | undefined, Unavailable>;
  /** Maximum time of an attempt. */
  readonly attemptTimeout: DurationMs;
}

const sessionSchema = once(() => {
  const access = z.enum(['read', 'write']).optional();
  return z
    .strictObject({
      accountId: z.string(),
      accountName: z.string().optional().register(documentation, { description: 'Absent: the directory has none.' }),
      userId: z.string(),
      can: z.strictObject({
        ...{ keys: access, webhooks: access, deliveries: access, requests: access },
        ...{ audit: access, alerts: access, sending: access },
      }),
      rights: z
        .array(z.string())
        .register(documentation, { description: 'The rights that API keys of the platform can have.' }),
      hasNetworks: z
        .boolean()
        .register(documentation, { description: 'Whether API keys of the platform can have `networks`.' }),
      hasPublicKeys: z
        .boolean()
        .register(documentation, { description: 'Whether API keys of the platform can have `jwks`.' }),
      attemptTimeoutMs: z.int().register(documentation, {
        description: 'The time within which an endpoint must answer, in milliseconds.',
      }),
    })
    .register(documentation, {
      name: 'ManagementSession',
      description: 'Who is logged in, and what the person may do.',
      example: {
        ...{ accountId: 'account_1', accountName: 'Lake Residence', userId: 'user_1' },
        can: { keys: 'write', webhooks: 'write', deliveries: 'read' },
        rights: ['requests:read', 'requests:write'],
        hasNetworks: true,
        hasPublicKeys: true,
        attemptTimeoutMs: 15_000,
      },
    });
});

const catalogueSchema = once(() =>
  z
    .strictObject({
      objects: z.array(
        z.strictObject({
          objectName: z.string(),
          events: z.array(
            z.strictObject({
              type: z.string(),
              description: z.string().optional(),
              deprecated: z
                .strictObject({
                  since: secondsView(),
                  until: secondsView().optional(),
                  instead: z
                    .string()
                    .optional()
                    .register(documentation, { description: 'What to select in its place.' }),
                })
                .optional()
                .register(documentation, {
                  description: 'That endpoints should no longer select it, and when it may be gone. Absent: they may.',
                }),
              sample: z.looseObject({}).optional().register(documentation, {
                description: 'Data of a test event, with the fields that the type sends. Absent: none is known.',
              }),
            }),
          ),
        }),
      ),
      endingSignatures: z
        .array(
          z.strictObject({
            profile: z
              .string()
              .optional()
              .register(documentation, { description: 'Absent: endpoints without a profile.' }),
            headers: z.array(z.string()),
            until: secondsView(),
          }),
        )
        .register(documentation, { description: 'Signatures that are sent until a time, and not from then on.' }),
    })
    .register(documentation, {
      name: 'EventCatalogue',
      description: 'The objects of the platform, their events, and the signatures that end.',
      example: {
        endingSignatures: [],
        objects: [
          { objectName: 'RequestPayment', events: [{ type: 'payed', sample: { status: 'payed', amount: 120.5 } }] },
        ],
      },
    }),
);

const viewDeprecation = ({ since, until, instead }: Deprecation) => ({
  since: toSeconds(since),
  ...present({ until: until === undefined ? undefined : toSeconds(until), instead }),
});

/** The signatures of all profiles that have an end. */
const endingSignatures = ({ of, names }: ManagementContext['profiles']) =>
  [undefined, ...names].flatMap((profile) =>
    (of(profile)?.signatures ?? []).flatMap(({ documents, until }) =>
      until === undefined
        ? []
        : [{ ...present({ profile }), headers: Object.keys(documents), until: toSeconds(until) }],
    ),
  );

const viewCatalogue = ({
  objects,
  profiles,
}: Pick<ManagementContext, 'objects' | 'profiles'>): z.output<ReturnType<typeof catalogueSchema>> => ({
  objects: objects.map((definition) => {
    const whole = sampleInput(definition);
    return {
      objectName: definition.objectName,
      events: definition.entries.map(({ type, description, deprecated }) => {
        const sample = whole && sentPart(whole, definition, type);
        return {
          type,
          ...present({ description, deprecated: deprecated && viewDeprecation(deprecated) }),
          ...(sample && Object.keys(sample).length > 0 ? { sample } : {}),
        };
      }),
    };
  }),
  endingSignatures: endingSignatures(profiles),
});

/** What a user interface reads first: who is logged in. */
export const sessionOperation = ({
  findAccount,
  hasRequests,
  rights,
  hasNetworks,
  hasPublicKeys,
  attemptTimeout,
}: Omit<ManagementContext, 'objects' | 'profiles' | 'allRights'>) =>
  operation({
    method: 'GET',
    path: '/session',
    operationId: 'getSession',
    summary: 'Reads who is logged in, and what the person may do',
    answers: { 200: { description: 'The session.', schema: sessionSchema() } },
    handle: ({ caller: { accountId, userId, can } }: { readonly caller: ManagementSession }) => {
      const { requests: _unserved, ...others } = can;
      return findAccount(accountId).map((account) => ({
        body: {
          accountId,
          ...(account === undefined ? {} : { accountName: account.name }),
          userId,
          can: hasRequests ? can : others,
          rights: rights(),
          hasNetworks,
          hasPublicKeys,
          attemptTimeoutMs: attemptTimeout,
        },
      }));
    },
  });

/** The events that can be selected. */
export const catalogueOperation = (context: Pick<ManagementContext, 'objects' | 'profiles'>): KeyRow => {
  let catalogue: z.output<ReturnType<typeof catalogueSchema>> | undefined;
  return keyRow({
    method: 'GET',
    right: 'webhooks:read',
    path: '/catalogue',
    part: 'webhooks',
    operationId: 'getCatalogue',
    summary: 'Lists the events that an endpoint can select, by object',
    answers: { 200: { description: 'The events.', schema: catalogueSchema() } },
    handle: () => {
      catalogue ??= viewCatalogue(context);
      return okAsync({ body: catalogue });
    },
  });
};
