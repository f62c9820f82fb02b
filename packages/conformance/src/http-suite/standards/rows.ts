import type { StandardsGroup } from './row.ts';
import { assertionRows } from './rows/assertions.ts';
import { bearerRows } from './rows/bearer.ts';
import { conditionRows } from './rows/conditions.ts';
import { contentRows } from './rows/content.ts';
import { jsonRows } from './rows/json.ts';
import { keyRows } from './rows/keys.ts';
import { methodRows } from './rows/methods.ts';
import { oauthRows } from './rows/oauth.ts';
import { problemRows } from './rows/problems.ts';
import { revocationRows } from './rows/revocation.ts';
import { webhookRows } from './rows/webhooks.ts';

/** The sentences of the standards that bind the partner API and its webhooks. Written by hand from their texts. */
export const standards: readonly StandardsGroup[] = [
  ...oauthRows,
  ...assertionRows,
  revocationRows,
  bearerRows,
  ...keyRows,
  {
    standard: 'RFC 9110',
    title: 'HTTP',
    url: 'https://www.rfc-editor.org/rfc/rfc9110',
    rows: [...methodRows, ...contentRows, ...conditionRows],
  },
  ...problemRows,
  ...jsonRows,
  webhookRows,
];
