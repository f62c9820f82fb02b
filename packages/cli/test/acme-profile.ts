import { defineEnvelope, hmac } from '@partnerkit/core/wire';

/** The wire profiles of a platform that writes its webhooks in its own way. */
export default {
  profiles: {
    acme: {
      envelope: defineEnvelope({
        name: 'acme',
        write: ({ id, timestamp, objectName, type, data }) =>
          JSON.stringify({ uid: id, event: `${objectName}/${type}`, at: timestamp, object: data }),
        read: (text) => {
          const { uid, event, at, object } = JSON.parse(text);
          const [objectName, type] = event.split('/');
          return { id: uid, timestamp: at, objectName, type, data: object };
        },
      }),
      signatures: [
        hmac({
          ...{ header: 'Acme-Signature', algorithm: 'sha256', encoding: 'hex' },
          content: ['timestamp', { text: '.' }, 'body'],
          prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
        }),
      ],
      headers: { 'X-Acme-Event': ['type'] },
    },
  },
} as const;
