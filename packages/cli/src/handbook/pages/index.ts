import { accountsPage } from './accounts.ts';
import { changesPage } from './changes.ts';
import { errorsPage } from './errors.ts';
import { eventsPage } from './events.ts';
import { loginPage } from './login.ts';
import { objectsPage } from './objects.ts';
import { operationsPage } from './operations.ts';
import type { PageName, WritePage } from './page.ts';
import { requestsPage } from './requests.ts';
import { retriesPage } from './retries.ts';
import { sandboxPage } from './sandbox.ts';
import { signaturePage } from './signature.ts';
import { startPage } from './start.ts';
import { webhooksPage } from './webhooks.ts';

/** What writes each page. */
export const pages: Readonly<Record<PageName, WritePage>> = {
  start: startPage,
  login: loginPage,
  accounts: accountsPage,
  operations: operationsPage,
  requests: requestsPage,
  webhooks: webhooksPage,
  objects: objectsPage,
  events: eventsPage,
  signature: signaturePage,
  retries: retriesPage,
  errors: errorsPage,
  sandbox: sandboxPage,
  changes: changesPage,
};
