import { brand, hasBrand } from '../../base/runtime/brand.ts';
import { utf8Length } from '../../base/runtime/text.ts';
import { envelopeText, maxBodyBytes, otherTexts, parseEnvelope } from './envelope.ts';
import { fillTemplate, isUnstable, templateOf } from './envelope-template.ts';
import { stamped, type WebhookEnvelope } from './webhook-envelope.ts';

/** An envelope that partnerkit does not write itself. */
export type OtherEnvelope = WebhookEnvelope &
  Required<Pick<WebhookEnvelope, 'write'>> & {
    /**
     * Of named profiles only. What it cannot write is published all the same, and fails for the endpoints of these
     * profiles alone. @defaultValue false
     */
    readonly isOptional?: boolean;
  };

/** A host's envelope does not write this event. The message names the envelope and the rule. */
export class UnwritableEvent extends Error {
  override readonly name = 'UnwritableEvent';
  /** As in a failure of publish. */
  readonly code: 'invalid_event' | 'too_large';
  constructor(message: string, options?: { readonly cause?: unknown; readonly code?: UnwritableEvent['code'] }) {
    super(message, { cause: options?.cause });
    this.code = options?.code ?? 'invalid_event';
    brand(this, 'UnwritableEvent');
  }
}

export const isUnwritable = (cause: unknown): cause is UnwritableEvent => hasBrand(cause, 'UnwritableEvent');

interface Content {
  readonly accountId: string;
  readonly objectName: string;
  readonly type: string;
  /** The JSON text of the projected data. */
  readonly data: string;
}

/** What is stored of an event. */
interface StoredEvent extends Omit<Content, 'data'> {
  readonly id: string;
  readonly bodyTail: string;
  readonly origin?: string;
}

const isJsonObject = (text: unknown): text is string => {
  try {
    return typeof text === 'string' && text.startsWith('{') && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

/**
 * The text of an event in an envelope of the host, before its timestamp is known.
 * @throws UnwritableEvent also of more than {@link maxBodyBytes}
 */
export const writeTemplate = ({ name, write }: OtherEnvelope, { data, ...event }: Content) => {
  const wrong = (rule: string, cause?: unknown): UnwritableEvent =>
    new UnwritableEvent(`the envelope ${name} ${rule}`, { cause });
  try {
    return templateOf((stamp) => {
      // Parsed anew: what a function of the host changes stays without effect.
      const text: unknown = write(stamped({ ...event, data: JSON.parse(data) }, stamp));
      if (!isJsonObject(text)) throw wrong('must write a JSON object.');
      const bytes = utf8Length(text);
      if (bytes > maxBodyBytes)
        throw new UnwritableEvent(`the envelope ${name} wrote ${bytes} bytes; at most ${maxBodyBytes} are sent.`, {
          code: 'too_large',
        });
      return text;
    });
  } catch (cause) {
    if (isUnwritable(cause)) throw cause;
    if (isUnstable(cause))
      throw wrong(
        'must depend on its argument alone, and write the time as timestamp or time: it wrote two texts for one event.',
      );
    throw wrong('threw an error.', cause);
  }
};

/**
 * The body of a dispatched event in an envelope. An event that was published before the kit had the envelope is
 * written from what is stored.
 */
export const bodyIn = (envelope: WebhookEnvelope, event: StoredEvent, timestamp: number): string => {
  const { write } = envelope;
  if (!write) return envelopeText(timestamp, event.bodyTail);
  const stamp = { id: event.id, timestamp };
  const template = otherTexts(event.bodyTail)[envelope.name];
  if (template) return fillTemplate(template, stamp);
  const { objectName, type } = event;
  const data = JSON.stringify(parseEnvelope(envelopeText(timestamp, event.bodyTail))?.data);
  const accountId = event.origin ?? event.accountId;
  return fillTemplate(writeTemplate({ ...envelope, write }, { accountId, objectName, type, data }), stamp);
};
