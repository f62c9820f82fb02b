import { z } from 'zod';
import { documentation } from '#documentation';
import { withExample } from '../../base/fields/example.ts';
import { seen, seenIf, shownAs } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { seenAt } from '../../base/fields/values.ts';
import { viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';
import type { SendingPause, SendingScope } from '../../webhooks/sending/sending-store.ts';
import { listSchema } from '../operations/page-schema.ts';
import { type ManagementOperation, operation } from './operation.ts';

const pause = once(() =>
  viewOf(
    {
      scope: shownAs(
        seen(
          z.enum(['platform', 'account', 'endpoint']),
          'What is paused: all accounts, the account, or one webhook. Nobody can end a pause of all accounts here.',
        ),
        ({ accountId, endpointId }: SendingPause) =>
          endpointId !== undefined ? 'endpoint' : accountId !== undefined ? 'account' : 'platform',
      ),
      endpointId: seenIf(z.string(), 'The webhook. Absent: all.'),
      since: seenAt('Since when nothing is sent.'),
      by: shownAs(
        seenIf(z.string(), "The platform's name of the person or job that began it. Absent: there is none."),
        ({ by }: SendingPause) => ('id' in by ? by.id : undefined),
      ),
    },
    {
      name: 'SendingPause',
      description: 'A pause of sending, by the platform.',
      example: { scope: 'endpoint', endpointId: 'endpoint_1', since: 1_798_761_600, by: 'operator_1' },
    },
  ),
);

const idForm = { pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };
const scopeInput = once(() =>
  withExample(
    z
      .strictObject({
        endpointId: z
          .string('the id of an endpoint.')
          .optional()
          .register(documentation, { description: 'One webhook. Absent: all of the account.', keywords: idForm }),
      })
      .optional(),
    {},
  ),
);

/** A change of a pause, by an operator of the host: the trail says so, not that a person of the account did it. */
const change = (call: 'pause' | 'resume', operationId: string, summary: string): ManagementOperation =>
  operation({
    method: 'POST',
    path: `/sending/${call}`,
    part: 'sending',
    operationId,
    summary,
    body: scopeInput(),
    answers: { 204: { description: 'Done, or so it was.' } },
    ...(call === 'pause' ? { refuses: ['not_found', 'wrong_kind'] as const } : {}),
    handle: ({ managed, accountId, body, by: { actor, requestId } }) => {
      const scope: SendingScope = { accountId, ...present({ endpointId: body?.endpointId }) };
      return managed.sending[call](scope, { actor: { type: 'host', id: actor.id }, requestId }).map(() => ({}));
    },
  });

/** The operations on pauses of sending, for operators of the host. */
export const sendingOperations = (): readonly ManagementOperation[] => [
  operation({
    method: 'GET',
    path: '/sending',
    part: 'sending',
    operationId: 'listSendingPauses',
    summary: 'Lists the pauses of sending that concern the account',
    answers: { 200: { description: 'The pauses, the widest first.', schema: listSchema(pause().schema) } },
    handle: ({ managed, accountId }) =>
      managed.sending.list().map((pauses) => ({
        body: {
          items: pauses
            .filter((each) => each.accountId === undefined || each.accountId === accountId)
            .map(pause().show),
        },
      })),
  }),
  change('pause', 'pauseSending', 'Pauses sending to a webhook of the account, or to all'),
  change('resume', 'resumeSending', 'Ends the pause of a webhook of the account, or that of the account'),
];
