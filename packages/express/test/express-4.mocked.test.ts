import { expect, test, vi } from 'vitest';
import { expressRouter } from '../src/index.ts';

// What a host has whose package.json says so.
vi.mock('express', async () => {
  // @ts-expect-error: it has no types.
  const { default: express4 } = await import('express4');
  return { default: express4, Router: express4.Router };
});

test('where Express 4 is installed, the router is refused with the remedy', () => {
  expect(() => expressRouter([])).toThrow(
    new TypeError('expressRouter: this is Express 4, and the routes need Express 5: npm install express@5.'),
  );
});
