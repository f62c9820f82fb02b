import { specificationEnvelope, standardWebhooksEnvelope, type WebhookEnvelope } from '@partnerkit/core/wire';

/** A name that a stranger chose could fill the screen. */
const maxName = 160;

export const shortened = (name: string): string => (name.length > maxName ? `${name.slice(0, maxName)}…` : name);

/** The body of a webhook, for people and for programs. */
export interface NamedBody {
  /** Object, type and id; or the size, when no envelope reads it. */
  readonly name: string;
  /** Its JSON. Absent: it is none. */
  readonly event?: unknown;
}

const read = ({ read: readBody }: WebhookEnvelope, text: string) => {
  try {
    return readBody?.(text);
  } catch {
    return undefined;
  }
};

const parse = (text: string): Pick<NamedBody, 'event'> => {
  try {
    return { event: JSON.parse(text) };
  } catch {
    return {};
  }
};

/** Names the body of a webhook. `own` is the envelope of a platform, if it has one. */
export const nameBody = (body: Buffer, own?: WebhookEnvelope): NamedBody => {
  const text = body.toString('utf8');
  for (const envelope of [...(own ? [own] : []), specificationEnvelope(), standardWebhooksEnvelope()]) {
    const event = read(envelope, text);
    if (event) return { name: shortened(`${event.objectName}.${event.type} ${event.data.id}`), ...parse(text) };
  }
  return { name: `${body.length} bytes`, ...parse(text) };
};
