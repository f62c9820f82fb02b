import { describe, expect, test } from 'vitest';
import { requestsHttpSuite } from '../../../src/http-suite/index.ts';
import { type Spoil, start } from '../least-host.ts';

// refusals.test.ts asserts that the least host holds.
describe('a host with one thing wrong fails', () => {
  /** Which of these cases fail. */
  const failed = async (spoil: Spoil, names: readonly string[]): Promise<readonly string[]> => {
    const cases = new Map<string, () => Promise<void>>();
    requestsHttpSuite({ test: (name, run) => cases.set(name, run), start: start(spoil) });
    const found: string[] = [];
    for (const name of names)
      await cases
        .get(name)?.()
        .catch(() => found.push(name));
    return found;
  };

  test.each<[string, Spoil, fails: string, holds: string]>([
    [
      'leaves the ETag out',
      ({ headers: { etag: _left, ...headers }, ...rest }) => ({ ...rest, headers }),
      'a payment request is created, read, changed and cancelled',
      'a test event without any endpoint reports that it was not sent',
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
      'a command with If-Match succeeds only at that version',
      'a payment request is created, read, changed and cancelled',
    ],
    [
      'answers 404 as 403',
      (response) => (response.status === 404 ? { ...response, status: 403 } : response),
      'an object of another account is reported as unknown, for every request',
      'a list is paginated and filtered, each record once',
    ],
  ])('%s', async (_what, spoil, fails, holds) => {
    expect(await failed(spoil, [fails, holds])).toEqual([fails]);
  });
});
