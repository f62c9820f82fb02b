import { expect, test } from 'vitest';
import { isTemplateText, variablesOf } from '../../../src/requests/fields/template-text.ts';

test('a text of a template has well-formed variables, and other braces only alone', () => {
  for (const text of [
    '',
    'Stay',
    '{{guest}}',
    '{{a}}{{b}}',
    'a { b } c',
    '{{a}}\n{{b_2}}',
    '}{',
    `{{${'x'.repeat(40)}}}`,
  ])
    expect([text, isTemplateText(text)]).toEqual([text, true]);
  for (const text of [
    '{{',
    '}}',
    '{{guest',
    '{{{guest}}}',
    '{{{guest}}',
    '{{guest}}}',
    '{{ guest }}',
    '{{1a}}',
    '{{a-b}}',
  ])
    expect([text, isTemplateText(text)]).toEqual([text, false]);
});

test('a text has at most 20 variables, each counted once', () => {
  const of = (count: number) => Array.from({ length: count }, (_, index) => `{{v${index}}}`).join(' ');
  expect([isTemplateText(of(20) + of(20)), isTemplateText(of(21))]).toEqual([true, false]);
  expect(variablesOf('{{b}} {{a}} {{b}}', undefined, '{{c}}{{a}}')).toEqual(['b', 'a', 'c']);
});
