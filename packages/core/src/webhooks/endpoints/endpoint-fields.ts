import { z } from 'zod';
import type { Sealed } from '../../base/crypto/seal.ts';
import {
  defaulted,
  fixedDefault,
  kept,
  optional,
  required,
  seen,
  seenIf,
  storedAs,
  unseen,
  value,
} from '../../base/fields/field.ts';
import { flag, seenAt, seenAtIf, text } from '../../base/fields/values.ts';
import {
  type Choosable,
  deliveryHeaderInput,
  endpointKinds,
  eventsInput,
  profileInput,
  type Selectable,
  type UrlRules,
  urlInput,
} from './endpoint-values.ts';

/** What the fields of an endpoint depend on. */
export interface EndpointRules {
  readonly catalogue: Selectable;
  readonly urls: UrlRules;
  readonly profiles: Choosable;
}

/** How an endpoint is given, changed, stored and seen, but for its secrets and its health. */
export const endpointFields = ({ catalogue, urls, profiles }: EndpointRules) => {
  const profile = optional(
    value('How its requests look. Absent: as usual.', { input: profileInput(profiles), view: z.string() }),
  );
  const nothingGiven = { created: undefined, changed: undefined } as unknown as Pick<
    typeof profile,
    'created' | 'changed'
  >;
  return {
    /** A UUID. */
    id: seen(z.string()),
    /**
     * `push`: each event is sent to `url`. `pull`: a program of the partner asks for the events. It never changes.
     * @defaultValue 'push'
     */
    kind: fixedDefault(
      value(
        '`push`: events are sent to `url`. `pull`: a program of yours asks for them. It never changes. Default: `push`.',
        {
          input: z.enum(endpointKinds, `one of ${endpointKinds.join(', ')}.`),
          view: z.enum(endpointKinds),
        },
      ),
      'push',
    ),
    /**
     * HTTPS URL that deliveries are sent to, at most 2048 characters, without user name, password and fragment. The
     * sender must accept its address. It is stored as it was registered: not in its normal form. Absent: the endpoint
     * is pulled.
     */
    url: kept(
      value('The HTTPS URL that deliveries are sent to. A webhook of the kind `push` needs one.', {
        input: urlInput(urls),
        view: z.string(),
      }),
    ),
    /** At least one selector: an event type of any object, or a pair such as `RequestSecurityDeposit.creation`. */
    events: storedAs<readonly string[]>()(
      required(
        value('The events that it receives: by type, or by object and type.', {
          input: eventsInput(catalogue),
          view: z.array(z.string()),
        }),
      ),
    ),
    /** Whether it receives events. */
    state: seen(
      z.enum(['enabled', 'disabled', 'disabled_by_breaker']),
      'Whether it receives events. `enabled`: it does. `disabled`: it does not, and new events are not kept for it. ' +
        '`disabled_by_breaker`: it failed for too long, or answered 410; new events are held.',
    ),
    /** Free text, 1 to 256 bytes. @defaultValue none */
    label: optional(text("Free text, such as the partner's environment: 1 to 256 bytes.", 'Production')),
    /**
     * Static header of every delivery, sent to the origin of `url` only. An update of `url` to another origin gives it
     * again, or removes it with `null`. @defaultValue none
     */
    deliveryHeader: storedAs<
      | {
          /** Name of the header. */
          readonly name: string;
          /** Value of the header, sealed. */
          readonly value: Sealed;
        }
      | undefined
    >()(
      unseen(
        optional(
          value('Static header of every delivery, such as an API key. Its value is never shown.', {
            input: deliveryHeaderInput(profiles),
            view: z.never(),
          }),
        ),
      ),
    ),
    deliveryHeaderName: storedAs<never>()(seenIf(z.string(), 'The name of the header that each delivery has besides.')),
    /** Whether deliveries carry the headers of Standard Webhooks beside `X-WEBHOOK-SIGNATURE`. @defaultValue false */
    standardWebhooks: defaulted(
      flag('Whether deliveries carry the headers of Standard Webhooks beside `X-WEBHOOK-SIGNATURE`. Default: `false`.'),
      false,
    ),
    /** Whether it also receives the events of the account's direct children. @defaultValue false */
    includeChildren: defaulted(
      flag("Whether it also receives the events of the account's direct children. Default: `false`."),
      false,
    ),
    /** A name of `webhooks.profiles`: how its requests look. @defaultValue the profile of the kit */
    profile: profiles.names.length > 0 ? profile : { ...profile, ...nothingGiven },
    /** When it was made. */
    createdAt: seenAt('When it was made.'),
    rotating: storedAs<never>()(seen(z.boolean(), 'A next secret is prepared and not active yet.')),
    /** When the next secret replaces the secret. Absent: not activated yet. */
    activateNextAt: seenAtIf('When the next secret begins to sign.'),
  };
};

export type EndpointFields = ReturnType<typeof endpointFields>;
