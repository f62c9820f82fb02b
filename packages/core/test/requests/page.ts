import { type CommandRule, type RequestKindName, type RequestMachine, requestMachines } from '../../src/requests.ts';
import { fieldRows, fieldsOfCommand } from './field-tables.ts';
import { code, createTables, type Row } from './markdown.ts';

/** The kinds of the page, and where partners reach their objects. */
const kinds: readonly (readonly [heading: string, path: string, kind: RequestKindName])[] = [
  ['Payment requests', 'payment-requests', 'payments'],
  ['Security deposits', 'security-deposits', 'deposits'],
  ['Cash-outs', 'security-deposits/{depositId}/cash-outs', 'cashOuts'],
  ['Templates of payment requests', 'payment-templates', 'paymentTemplates'],
  ['Templates of security deposits', 'security-deposit-templates', 'depositTemplates'],
];

const begin = '<!-- generated: pnpm run docs:requests -->';
const end = '<!-- end of generated part -->';

const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const methods: Readonly<Record<string, string>> = { create: 'POST', change: 'PATCH', delete: 'DELETE' };

/** The command, below its request if partners give it. */
const nameOf = (command: string, { by }: CommandRule): string => {
  if (by === 'host') return code(command);
  return `${code(command)}<br>${code(methods[command] ?? `POST …/${kebab(command)}`)}`;
};

/** The states of a deposit that allow most commands on its cash-outs: the page names them once. */
const usual: readonly string[] = ['in_progress', 'litigation'];

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const descriptionOf = (kind: RequestKindName, command: string, rule: CommandRule): string => {
  const { description, unless, within = usual, follows } = rule;
  const input = fieldsOfCommand(kind, command);
  const others = within.filter((state) => !usual.includes(state));
  return [
    description,
    ...(input.required.length > 0 ? [`Input: ${input.required.map(code).join(', ')}.`] : []),
    ...(input.optional.length > 0 ? [`Optional: ${input.optional.map(code).join(', ')}.`] : []),
    ...(unless ? [sentence(`refused if ${unless}`)] : []),
    ...(others.length > 0 ? [`Also while the deposit is ${others.map(code).join(' or ')}.`] : []),
    ...(usual.every((state) => within.includes(state))
      ? []
      : [`Only while the deposit is ${within.map(code).join(' or ')}.`]),
    ...(follows ? [`${code(follows)} of the deposit follows.`] : []),
  ].join(' ');
};

const targets = ({ to = [] }: CommandRule): readonly string[] => [to].flat();
const statesOf = (rule: CommandRule, { states }: RequestMachine): string => {
  const from = rule.from.length === states.length ? 'any' : rule.from.map(code).join(', ');
  const to = targets(rule).filter((state) => rule.from.length !== 1 || state !== rule.from[0]);
  const may = Object.entries(rule.mayLead ?? {}).map(([state, then = '']) => `${code(then)} from ${code(state)}`);
  const all = [...(to.length > 0 ? [to.map(code).join(' or ')] : []), ...may.filter((each) => !isLoop(each))];
  return all.length === 0 ? from : `${from} → ${all.join(' or ')}`.trim();
};
/** A state that leads to itself is no news. */
const isLoop = (text: string): boolean => /^(`\w+`) from \1$/.test(text);

const eventOf = ({ event, reasonCode }: CommandRule): string =>
  reasonCode === undefined ? code(event) : `${code(event)}<br>reason ${code(reasonCode)}`;

const commandRows = (kind: RequestKindName): readonly Row[] => {
  const machine = requestMachines[kind];
  return Object.entries(machine.commands).map(([command, rule]) => [
    nameOf(command, rule),
    descriptionOf(kind, command, rule),
    statesOf(rule, machine),
    eventOf(rule),
  ]);
};

const diagram = ({ commands }: RequestMachine): string => {
  const arrows = Object.entries(commands).flatMap(([command, rule]) => [
    ...targets(rule).flatMap((to) =>
      (rule.from.length > 0 ? rule.from : ['[*]']).map((state) => `  ${state} --> ${to}: ${command}`),
    ),
    ...Object.entries(rule.mayLead ?? {}).map(([state, to]) => `  ${state} --> ${to}: ${command}`),
  ]);
  return ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n');
};

/** The page with a new generated part. */
export const requestsPage = (page: string): string => {
  const [before, after] = [page.split(begin)[0] ?? '', page.split(end)[1] ?? ''];
  const commands = createTables('Command', 'Description', 'State', 'Event');
  const fields = createTables('Field', 'Required', 'Meaning', 'Changes while');
  const sections = kinds.map(([heading, path, kind]) => {
    const machine = requestMachines[kind];
    const parts = [
      `## ${heading}`,
      `Path: ${code(path)}. Events of ${code(machine.objectName)}.`,
      ...(machine.states.length > 2 ? [diagram(machine)] : []),
      commands(heading, commandRows(kind)),
      fields(heading, fieldRows(kind)),
    ];
    return `${parts.join('\n\n')}\n`;
  });
  return `${before}${begin}\n\n${sections.join('\n')}\n${end}${after}`;
};
