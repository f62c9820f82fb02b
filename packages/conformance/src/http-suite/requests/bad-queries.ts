import { type BadRequest, shortly } from './bad-request.ts';

const query = (path: string, text: string, ...names: readonly string[]): BadRequest => ({
  wrong: `GET ${path} with`,
  value: shortly(`?${text}`),
  method: 'GET',
  path: `${path}?${text}`,
  request: {},
  status: 400,
  code: 'invalid_query',
  names,
});
const long = 'x'.repeat(257);
const list = 'payment-requests';

const wrong: Readonly<Record<string, readonly string[]>> = {
  limit: ['0', '101', '-1', '1e1', '1.0', '', '%201', '99999999999999999999'],
  order: ['', 'desc', 'Newest', 'newest,oldest'],
  status: ['', 'open', 'pending,', ',pending', 'pending,open', 'pending%20', 'PENDING', '__proto__', 'constructor'],
  createdFrom: ['', 'yesterday', '2027-01-01', '-1', '1.5', '1e9', '123456789012'],
  createdTo: ['', 'x', '1.5', '123456789012'],
  updatedFrom: ['', 'x', '-1', '123456789012'],
  updatedTo: ['', 'x', '-1', '123456789012'],
  reference: ['', '%00', 'a%00b', 'a%0Ab', long],
  recipientEmail: ['', 'ann', 'ann+b@example.com', 'ann%20b@example.com', 'a%00b@example.com', long],
  templateId: ['', '%00', 'a%00b', long],
};

export const badQueries: readonly BadRequest[] = [
  ...Object.entries(wrong).flatMap(([name, values]) => values.map((value) => query(list, `${name}=${value}`, name))),
  ...['sort', 'offset', 'amount', 'Status', '__proto__', 'constructor', 'toString'].map((name) =>
    query(list, `${name}=x`, name),
  ),
  query(list, `${'x'.repeat(100)}=1`, 'x'.repeat(64)),
  query(list, 'limit=1&limit=2', 'limit'),
  query(list, 'limit=1&limit=1', 'limit'),
  query(list, 'status=pending&status=payed', 'status'),
  query(list, 'status[]=pending', 'status[]'),
  query(list, 'limit=0&limit=2&status=open&createdTo=x', 'limit', 'status', 'createdTo'),
  query(list, 'depositId=x', 'depositId'),
  query('security-deposits', 'status=payed', 'status'),
  query('security-deposits', 'depositId=x', 'depositId'),
  query('cash-outs', 'depositId=', 'depositId'),
  query('cash-outs', 'templateId=x', 'templateId'),
  query('cash-outs', 'status=pending', 'status'),
  query('payment-templates', 'recipientEmail=a@example.com&templateId=x', 'recipientEmail', 'templateId'),
  query('security-deposit-templates', 'status=pending', 'status'),
  ...['transactions', '{payment}/transactions', '{deposit}/transactions'].flatMap((path) => [
    query(path, 'limit=0&settledTo=x', 'limit', 'settledTo'),
    query(path, 'settledFrom=2027-01-01', 'settledFrom'),
    query(path, 'kind=charge', 'kind'),
  ]),
  query('transactions/sums', 'limit=1&settledFrom=1.5', 'settledFrom', 'limit'),
  ...['{payment}', '{deposit}', '{cashOut}', '{template}'].flatMap((path) => [
    query(`${path}/events`, 'limit=0', 'limit'),
    query(`${path}/events`, 'order=up&status=pending', 'order', 'status'),
    query(`${path}/events`, 'limit=1&limit=1', 'limit'),
  ]),
];
