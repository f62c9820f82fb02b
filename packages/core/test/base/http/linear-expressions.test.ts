import { expect, test } from 'vitest';
import { whyNotLinear } from '../../../../../tools/expressions/linear.ts';

test.each([
  // Those that were found in this project, and the text that each of them reads again and again.
  [/^([^;]*?) *(; *charset="?utf-?8"? *)?$/i, 'quadratic'], // spaces
  [/\s+$/, 'quadratic'], // spaces, then a letter
  [/=+$/, 'quadratic'],
  [/"(?:[^"\\]|\\.)*"/g, 'quadratic'], // escaped quotes without an end
  [/^\s*\w*\d+$/, 'quadratic'],
  [/a*b?a*$/, 'quadratic'],
  [/^(?=\w*\d*x)/, 'quadratic'],
  [/(?=\w*!)a/, 'quadratic'],
  [/x(?!.*.*y)/, 'quadratic'],
  [/^(a+)+$/, 'exponential'],
  [/^(a|a)*$/, 'exponential'],
  [/^(\w+\s?)*$/, 'exponential'],
  [/^([a-z]|\w)+!/, 'exponential'],
  [/^(.*?,){1,}x$/, 'exponential'],
])('%s is %s', (expression, kind) => {
  expect(whyNotLinear(expression)).toMatch(new RegExp(`^${kind}: `));
});

test.each([
  /^application\/(merge-patch\+)?json *(;|$)/i,
  /^[^\s@]+@[^\s@]+$/,
  /^(\/[A-Za-z0-9._~-]+)+$/,
  /^basic +([A-Za-z0-9+/]+={0,2})$/i,
  /^(?:W\/)?"[\x21\x23-\x7e]*"$/,
  /, *[\w!#$%&'*+.^`|~-]+ +[^\s=,]/,
  /[A-Z]+/g,
  /^(?!\.)(?!.*\.\.)[a-z.]+$/,
  /\?([^#]*)/,
  /^(["'])(.*)\1$/,
  /^\d{1,15}\d{1,15}$/,
  /^(?<first>[a-z]+)-(?:[a-z]+)\b/,
  /[\]x]+y?/,
  /^\s+$/,
  /\s+$/y,
])('%s is linear', (expression) => {
  expect(whyNotLinear(expression)).toBeUndefined();
});
