import {
  cashOutMachine,
  depositMachine,
  depositTemplateMachine,
  type Machine,
  paymentMachine,
  paymentTemplateMachine,
  type Rule,
} from '../../src/requests/index.ts';
import { fieldTable } from './field-tables.ts';

/** The machines of the page, and where partners reach their objects. */
const machines: readonly (readonly [heading: string, path: string, machine: Machine])[] = [
  ['Payment requests', 'payment-requests', paymentMachine],
  ['Security deposits', 'security-deposits', depositMachine],
  ['Cash-outs', 'security-deposits/{depositId}/cash-outs', cashOutMachine],
  ['Templates of payment requests', 'payment-templates', paymentTemplateMachine],
  ['Templates of security deposits', 'security-deposit-templates', depositTemplateMachine],
];

const begin = '<!-- generated: pnpm run docs:requests -->';
const end = '<!-- end of what is generated -->';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const code = (text: string): string => `\`${text}\``;
const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const request = (path: string, command: string): string => {
  const method: Record<string, string> = {
    create: `POST ${path}`,
    change: `PATCH ${path}/{id}`,
    delete: `DELETE ${path}/{id}`,
  };
  return method[command] ?? `POST ${path}/{id}/${kebab(command)}`;
};

const who = (path: string, command: string, { by }: Rule): string => {
  if (by === 'rule') return 'follows';
  return by === 'partner' ? code(request(path, command)) : 'the host';
};

const conditions = ({ unless, within, follows }: Rule): string =>
  [
    within ? `the deposit is ${within.map(code).join(' or ')}` : '',
    unless ? `not if ${unless}` : '',
    follows ? `${code(follows)} of the deposit follows` : '',
  ]
    .filter((text) => text !== '')
    .join('; ');

const table = (path: string, { commands }: Machine): string =>
  [
    row('command', 'by', 'from', 'to', 'event', ''),
    row('---', '---', '---', '---', '---', '---'),
    ...Object.entries(commands).map(([command, rule]) =>
      row(
        code(command),
        who(path, command, rule),
        rule.from.map(code).join(', '),
        rule.to === undefined ? '' : code(rule.to),
        code(rule.event),
        conditions(rule),
      ),
    ),
  ].join('\n');

const diagram = ({ commands }: Machine): string => {
  const arrows = Object.entries(commands).flatMap(([command, { from, to }]) => {
    if (to === undefined) return [];
    return (from.length > 0 ? from : ['[*]']).map((state) => `  ${state} --> ${to}: ${command}`);
  });
  return ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n');
};

/** What a change says to receivers, where there is one. */
const changes = (path: string, { objectName, commands }: Machine): string => {
  const { change } = commands as Readonly<Record<string, Rule>>;
  if (!change) return 'Every other command takes no body, or `{}`.';
  return [
    `${code(request(path, 'change'))} publishes ${code(change.event)} of ${code(objectName)}, also when every value is as it was before.`,
    `It is taken while the state is ${change.from.map(code).join(' or ')}.`,
    'A PATCH gives at least one of these fields; the others stay. Every other command takes no body, or `{}`.',
  ].join('\n');
};

/** The page with its generated part written anew. */
export const requestsPage = (page: string): string => {
  const [before, after] = [page.split(begin)[0] ?? '', page.split(end)[1] ?? ''];
  const sections = machines.map(
    ([heading, path, machine]) =>
      `### ${heading}\n\nEvents of ${code(machine.objectName)}.\n\n${diagram(machine)}\n\n${table(path, machine)}\n\n${fieldTable(path)}\n\n${changes(path, machine)}\n`,
  );
  return `${before}${begin}\n\n${sections.join('\n')}\n${end}${after}`;
};
