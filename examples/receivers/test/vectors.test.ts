import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { missing, notInstalled } from './support/missing.ts';
import { bodyOf, headersAt, vectors } from './support/vectors.ts';

const requests = vectors.vectors.flatMap(({ name, requests }) => requests.map((request) => ({ name, request })));

const absent = missing(['python3']);
if (absent !== undefined) notInstalled(absent, 'what makes the vectors');
else {
  test('the vectors are what Python makes', () => {
    const made = execFileSync('python3', [fileURLToPath(new URL('make-vectors.py', import.meta.url))], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONUTF8: '1' },
    });
    expect(vectors).toEqual(JSON.parse(made));
  });
}

test('signed anew at their own time, the requests carry the very headers that Python wrote', () => {
  const signedAnew = requests.filter(({ request }) => request.standard);
  expect(signedAnew.length).toBeGreaterThan(20);
  for (const { name, request } of signedAnew) expect(headersAt(request, vectors.now), name).toEqual(request.headers);
});

test('signed anew at another time, nothing but time and signature differs', () => {
  const changed = requests.flatMap(({ request }) =>
    headersAt(request, vectors.now + 86_400)
      .filter(([, value], index) => value !== request.headers[index]?.[1])
      .map(([name]) => name),
  );
  expect(new Set(changed)).toEqual(new Set(['webhook-timestamp', 'webhook-signature']));
});

test('every status that a receiver may answer by itself is among those expected', () => {
  expect([...new Set(requests.map(({ request }) => request.answer))].sort()).toEqual([204, 400, 401, 405, 413, 503]);
});

test('the largest body that is taken has 512 KiB, and the one that is refused a byte more', () => {
  const sizes = requests.filter(({ name }) => name.startsWith('512 KiB')).map(({ request }) => bodyOf(request).length);
  expect(sizes).toEqual([524_288, 524_289]);
});
