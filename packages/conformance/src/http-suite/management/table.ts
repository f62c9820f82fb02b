/**
 * The operations of the management API, written by hand: an operation that is not here fails the suite.
 *
 * - `right`: the only right that a session needs.
 * - `conditional`: the operation honours `If-Match` and `If-None-Match`.
 * - `ETag`: the answer has the version of the object.
 * - `answer`: the name of its fields in {@link fieldsOf}.
 */
const table = `
| method | path                                       | right            | versions          | status | answer           |
|--------|--------------------------------------------|------------------|-------------------|--------|------------------|
| GET    | /session                                   | none             |                   | 200    | session          |
| GET    | /catalogue                                 | webhooks read    |                   | 200    | catalogue        |
|--------|--------------------------------------------|------------------|-------------------|--------|------------------|
| GET    | /api-keys                                  | keys read        |                   | 200    | list             |
| POST   | /api-keys                                  | keys write       | ETag              | 201    | new key          |
| GET    | /api-keys/:keyId                           | keys read        | conditional, ETag | 200    | used key         |
| PATCH  | /api-keys/:keyId                           | keys write       | conditional, ETag | 200    | key              |
| DELETE | /api-keys/:keyId                           | keys write       | conditional       | 204    | nothing          |
| POST   | /api-keys/:keyId/secrets                   | keys write       | conditional, ETag | 201    | new key          |
| POST   | /api-keys/:keyId/secrets/:secretId/expire  | keys write       | conditional, ETag | 200    | key              |
| POST   | /api-keys/:keyId/secrets/:secretId/revoke  | keys write       | conditional, ETag | 200    | key              |
| POST   | /api-keys/:keyId/revoke-tokens             | keys write       | conditional, ETag | 200    | key              |
| POST   | /api-keys/:keyId/disable                   | keys write       | conditional, ETag | 200    | key              |
| POST   | /api-keys/:keyId/enable                    | keys write       | conditional, ETag | 200    | key              |
|--------|--------------------------------------------|------------------|-------------------|--------|------------------|
| GET    | /endpoints                                 | webhooks read    |                   | 200    | list             |
| POST   | /endpoints                                 | webhooks write   | ETag              | 201    | new secret       |
| POST   | /endpoints/check                           | webhooks write   |                   | 204    | nothing          |
| GET    | /endpoints/:endpointId                     | webhooks read    | conditional, ETag | 200    | endpoint         |
| PATCH  | /endpoints/:endpointId                     | webhooks write   | conditional, ETag | 200    | endpoint         |
| DELETE | /endpoints/:endpointId                     | webhooks write   | conditional       | 204    | nothing          |
| POST   | /endpoints/:endpointId/enable              | webhooks write   | conditional, ETag | 200    | endpoint         |
| POST   | /endpoints/:endpointId/disable             | webhooks write   | conditional, ETag | 200    | endpoint         |
| POST   | /endpoints/:endpointId/resume              | webhooks write   | conditional, ETag | 200    | endpoint         |
| POST   | /endpoints/:endpointId/secret/prepare      | webhooks write   | conditional, ETag | 200    | new secret       |
| POST   | /endpoints/:endpointId/secret/activate     | webhooks write   | conditional, ETag | 200    | endpoint         |
| POST   | /endpoints/:endpointId/secret/cancel       | webhooks write   | conditional, ETag | 200    | endpoint         |
| POST   | /endpoints/:endpointId/test                | webhooks write   |                   | 202    | event id         |
|--------|--------------------------------------------|------------------|-------------------|--------|------------------|
| GET    | /statistics                                | deliveries read  |                   | 200    | items            |
| GET    | /endpoints/:endpointId/statistics          | deliveries read  |                   | 200    | statistics       |
| POST   | /endpoints/:endpointId/replay              | deliveries write |                   | 200    | replayed         |
| POST   | /endpoints/:endpointId/recover             | deliveries write |                   | 200    | replayed         |
| GET    | /events                                    | deliveries read  |                   | 200    | list             |
| GET    | /events/:eventId                           | deliveries read  |                   | 200    | event            |
| GET    | /events/:eventId/explanations/:endpointId  | deliveries read  |                   | 200    | explanation      |
| GET    | /deliveries                                | deliveries read  |                   | 200    | list             |
| GET    | /deliveries/:deliveryId/attempts           | deliveries read  |                   | 200    | list             |
| POST   | /deliveries/:deliveryId/send-again         | deliveries write |                   | 202    | delivery id      |
| GET    | /backlog                                   | deliveries read  |                   | 200    | backlog          |
|--------|--------------------------------------------|------------------|-------------------|--------|------------------|
| GET    | /audit                                     | audit read       |                   | 200    | list             |
| GET    | /alerts                                    | alerts read      |                   | 200    | alert settings   |
| PUT    | /alerts                                    | alerts write     |                   | 204    | nothing          |
| GET    | /sending                                   | sending read     |                   | 200    | list             |
| POST   | /sending/pause                             | sending write    |                   | 204    | nothing          |
| POST   | /sending/resume                            | sending write    |                   | 204    | nothing          |
`;

const endpoint =
  'id kind url events state label standardWebhooks includeChildren deliveryHeaderName createdAt rotating health'.split(
    ' ',
  );

/** The fields of each answer, in the state of the platform that the cases begin with. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  session: ['accountId', 'accountName', 'userId', 'can', 'rights', 'hasNetworks', 'hasPublicKeys', 'attemptTimeoutMs'],
  catalogue: ['objects', 'endingSignatures'],
  list: ['items'],
  key: ['id', 'name', 'createdAt', 'disabled', 'secrets'],
  'used key': ['id', 'name', 'createdAt', 'disabled', 'secrets', 'usage'],
  'new key': ['key', 'secretId', 'secret'],
  endpoint,
  'new secret': ['endpoint', 'secret'],
  'event id': ['eventId'],
  items: ['items'],
  statistics: 'endpointId buckets total successRate durations last waiting held isComplete'.split(' '),
  replayed: ['deliveries'],
  event: ['id', 'objectName', 'objectId', 'type', 'isTest', 'timestamp', 'body'],
  explanation: ['kind', 'deliveryId', 'attempts', 'last', 'at'],
  'delivery id': ['deliveryId'],
  'alert settings': [],
  backlog: ['undispatched', 'waiting', 'held'],
};

/** The body of a request that succeeds, for operations that read one. */
export const bodies: Readonly<Record<string, object>> = {
  'POST /api-keys': { name: 'Another' },
  'PATCH /api-keys/:keyId': { name: 'Renamed' },
  'POST /endpoints': { url: 'https://partner.example/other', events: ['payed'] },
  'PATCH /endpoints/:endpointId': { includeChildren: true },
  'POST /endpoints/:endpointId/test': { objectName: 'RequestPayment', type: 'payed', data: { amount: 1 } },
  'PUT /alerts': { address: 'desk@partner.example' },
  'POST /endpoints/:endpointId/replay': { from: 0, to: 1_900_000_000 },
  'POST /endpoints/:endpointId/recover': { from: 0, to: 1_900_000_000 },
};

/** A part of the interface, and what a session may do with it. */
export interface Right {
  readonly part: 'keys' | 'webhooks' | 'deliveries' | 'audit' | 'alerts' | 'sending';
  readonly access: 'read' | 'write';
}

/** One operation. */
export interface ManagementRow {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Absent: any session will do. */
  readonly right?: Right;
  readonly isConditional: boolean;
  readonly hasETag: boolean;
  readonly status: number;
  /** Absent: no body. */
  readonly fields?: readonly string[];
}

const rowOf = (line: string): ManagementRow => {
  const [method = '', path = '', right = '', versions = '', status, answer = ''] = line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
  const [part, access] = right.split(' ') as [Right['part'], Right['access']];
  const fields = fieldsOf[answer];
  if (!fields && answer !== 'nothing') throw new TypeError(`management: no answer is called "${answer}".`);
  return {
    name: `${method} ${path}`,
    method,
    path,
    ...(right === 'none' ? {} : { right: { part, access } }),
    isConditional: versions.includes('conditional'),
    hasETag: versions.includes('ETag'),
    status: Number(status),
    ...(fields ? { fields } : {}),
  };
};

/** The rows of the table. */
export const rows: readonly ManagementRow[] = table
  .split('\n')
  .filter((line) => /^\| [A-Z]/.test(line))
  .map(rowOf);

/** Where a key finds the operations on webhooks, below the path of an account. */
const pathsByKey = `
| management API                                 | by key                                           |
|------------------------------------------------|--------------------------------------------------|
| GET /catalogue                                 | /webhook-catalogue                               |
| GET /endpoints                                 | /webhooks                                        |
| POST /endpoints                                | /webhooks                                        |
| POST /endpoints/check                          | /webhooks/check                                  |
| GET /endpoints/:endpointId                     | /webhooks/:endpointId                            |
| PATCH /endpoints/:endpointId                   | /webhooks/:endpointId                            |
| DELETE /endpoints/:endpointId                  | /webhooks/:endpointId                            |
| POST /endpoints/:endpointId/enable             | /webhooks/:endpointId/enable                     |
| POST /endpoints/:endpointId/disable            | /webhooks/:endpointId/disable                    |
| POST /endpoints/:endpointId/resume             | /webhooks/:endpointId/resume                     |
| POST /endpoints/:endpointId/secret/prepare     | /webhooks/:endpointId/secret/prepare             |
| POST /endpoints/:endpointId/secret/activate    | /webhooks/:endpointId/secret/activate            |
| POST /endpoints/:endpointId/secret/cancel      | /webhooks/:endpointId/secret/cancel              |
| POST /endpoints/:endpointId/test               | /webhooks/:endpointId/test                       |
| GET /statistics                                | /webhook-statistics                              |
| GET /endpoints/:endpointId/statistics          | /webhooks/:endpointId/statistics                 |
| POST /endpoints/:endpointId/replay             | /webhooks/:endpointId/replay                     |
| POST /endpoints/:endpointId/recover            | /webhooks/:endpointId/recover                    |
| GET /events                                    | /webhook-events                                  |
| GET /events/:eventId                           | /webhook-events/:eventId                         |
| GET /events/:eventId/explanations/:endpointId  | /webhook-events/:eventId/explanations/:endpointId |
| GET /deliveries                                | /webhook-deliveries                              |
| GET /deliveries/:deliveryId/attempts           | /webhook-deliveries/:deliveryId/attempts         |
| POST /deliveries/:deliveryId/send-again        | /webhook-deliveries/:deliveryId/send-again       |
| GET /backlog                                   | /webhook-backlog                                 |
`;

/** An operation on webhooks that sessions and keys have. */
export interface RowByKey {
  /** Its method and its path by key. */
  readonly name: string;
  /** Its path by key. */
  readonly path: string;
  /** The row of the management API. */
  readonly row: ManagementRow;
}

/** The operations that keys have, too. */
export const rowsByKey: readonly RowByKey[] = pathsByKey
  .split('\n')
  .filter((line) => /^\| [A-Z]+ \//.test(line))
  .map((line) => {
    const [name = '', path = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const row = rows.find((each) => each.name === name);
    if (!row) throw new TypeError(`management: no row is called "${name}".`);
    return { name: `${row.method} ${path}`, path, row };
  });
