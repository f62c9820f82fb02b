import { describe, expect, test } from 'vitest';
import { requestsHttpSuite } from '../../src/index.ts';
import { type Spoil, start } from './least-host.ts';

describe('the least host holds', () => {
  requestsHttpSuite({ test, start: start() });
});

describe('a host with one thing wrong fails', () => {
  const failed = async (spoil: Spoil): Promise<readonly string[]> => {
    const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
    requestsHttpSuite({ test: (name, run) => cases.push({ name, run }), start: start(spoil) });
    const names: string[] = [];
    for (const { name, run } of cases) await run().catch(() => names.push(name));
    return names;
  };

  test.each<[string, Spoil, fails: string, holds: string]>([
    [
      'leaves the ETag out',
      ({ headers: { etag: _left, ...headers }, ...rest }) => ({ ...rest, headers }),
      'a payment request is made, read, changed and cancelled',
      'of many that give one command at once one wins, and the others are told',
    ],
    [
      'decodes Location',
      ({ headers: { location, ...headers }, ...rest }) => ({
        ...rest,
        headers: location === undefined ? headers : { ...headers, location: location.replaceAll('%', '') },
      }),
      'ids of the host are served, and Location encodes them',
      'objects with ids of the host are listed each once',
    ],
    [
      'answers another status',
      (response) => (response.status === 412 ? { ...response, status: 409 } : response),
      'If-Match lets a command through for the version that it names, and for no other',
      'a payment request is made, read, changed and cancelled',
    ],
    [
      'answers 404 as 403',
      (response) => (response.status === 404 ? { ...response, status: 403 } : response),
      'what is another account’s is not there, whatever is asked of it',
      'a list comes page by page, each once, filtered',
    ],
  ])('%s', async (_what, spoil, fails, holds) => {
    const names = await failed(spoil);
    expect(names).toContain(fails);
    expect(names).not.toContain(holds);
  });
});
