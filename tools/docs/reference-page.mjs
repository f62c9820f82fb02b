// Pages of the API reference: what to import, and unions of objects as a table.

const kinds = 'classes|enumerations|functions|interfaces|type-aliases|variables';

/**
 * Writes below the title what a program imports.
 * @param {string} contents
 * @param {{ url: string, name: string }} page its address below the reference, and the name that it describes
 */
export const withImport = (contents, { url, name }) => {
  const [, module, kind] = new RegExp(`^(.+)/(${kinds})/[^/]+$`).exec(url) ?? [];
  if (module === undefined) return contents;
  const type = /^(interfaces|type-aliases)$/.test(kind) ? 'type ' : '';
  const line = `import ${type}{ ${name} } from '@partnerkit/${module}';`;
  return contents.replace(/^# .+\n/m, (title) => `${title}\n\`\`\`ts\n${line}\n\`\`\`\n`);
};

/** The parts of a text between separators that stand outside of brackets. */
const split = (text, separator) => {
  const parts = [''];
  let depth = 0;
  for (const piece of text.split(/(\\?[{<([]|\\?[})\]]|\\>|; | \\\| )/)) {
    if (/^\\?[{<([]$/.test(piece)) depth++;
    if (/^(\\?[})\]]|\\>)$/.test(piece)) depth--;
    if (piece === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
};

/** The properties of `\{ \`a\`: \`"x"\`; \`b?\`: \`string\`; \}`, from name to type. `undefined` for any other type. */
const propertiesOf = (type) => {
  const inner = /^\\\{ (.+); \\\}$/.exec(type)?.[1];
  if (inner === undefined || split(type, ' \\| ').length > 1 || / & /.test(split(type, ' & ')[1] ?? ''))
    return undefined;
  return new Map(
    split(inner, '; ').map((property) => {
      const [, name, value] = /^`(\w+\??)`: (.+)$/.exec(property) ?? [undefined, property, ''];
      return [name, value];
    }),
  );
};

const isLiteral = (type) => /^`("[^"`]*"|true|false)`( \\\| `("[^"`]*"|true|false)`)*$/.test(type ?? '');

/** One member: its type, its properties, its description, and the table of its properties. */
const memberOf = (block) => {
  const [, type, rest] = /^(?:### Type Literal\n\n)?(.+)\n*([\s\S]*)$/.exec(block.trim()) ?? [];
  const at = rest.search(/^\| Name \|/m);
  const [told, table] = at === -1 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)];
  return { type, properties: propertiesOf(type), told: told.trim(), table: table.trim() };
};

/** The property by whose value one tells the objects apart, if there is one. */
const discriminatorOf = (objects) => {
  const [first] = objects;
  return [...first.keys()].find((name) => objects.every((each) => isLiteral(each.get(name))));
};

const row = (...cells) => `| ${cells.join(' | ')} |`;

const tableOf = (members, name) => {
  const rows = members.map(({ type, properties, told }) => {
    const others = properties === undefined ? [] : [...properties.keys()].filter((each) => each !== name);
    const first = properties === undefined ? type : (properties.get(name) ?? '');
    const cells = [others.map((each) => `\`${each}\``).join(', '), told.replaceAll(/\s*\n\s*/g, ' ')];
    return name === undefined && properties !== undefined ? row(...cells) : row(first, ...cells);
  });
  const head = [...(name === undefined ? [] : [`\`${name}\``]), 'Properties', 'Description'];
  return [row(...head), row(...head.map(() => ':------')), ...rows].join('\n');
};

/** What is told of the properties of one member, below a heading that tells it apart. */
const detailOf = ({ properties, table }, name) => {
  if (properties === undefined || table === '') return [];
  const heading =
    name === undefined
      ? [...properties.keys()].map((each) => `\`${each}\``).join(', ')
      : `\`${name}\`: ${properties.get(name)}`;
  return [`### ${heading}\n\n${table}`];
};

/** A member in the signature: by the property that tells it apart, if it is an object. */
const short = ({ type, properties }, name) => {
  if (properties === undefined || name === undefined) return type;
  return `\\{ \`${name}\`: ${properties.get(name)};${properties.size > 1 ? ' …' : ''} \\}`;
};

/** A union of objects reads as a table: a row for each object, by the property that tells them apart. */
export const withUnionTable = (contents) => {
  const start = contents.search(/^## Union Members$/m);
  if (start === -1) return contents;
  const before = contents.slice(0, start);
  const [, body, rest] = /^## Union Members\n([\s\S]*?)(\n## [\s\S]*)?$/.exec(contents.slice(start));
  const members = body.split(/^\*\*\*$/m).map(memberOf);
  const objects = members.flatMap(({ properties }) => properties ?? []);
  if (objects.length < 2 || members.length - objects.length > 1) return contents;
  const name = discriminatorOf(objects);
  if (name === undefined && objects.length < members.length) return contents;
  const details = members.flatMap((member) => detailOf(member, name));
  const signature = members.map((member) => short(member, name)).join(' \\| ');
  const head = before.replace(/^(> .+? = ).+$/m, (_, begin) => `${begin}${signature}`);
  return `${head}## Union Members\n\n${[tableOf(members, name), ...details].join('\n\n')}\n${rest ?? ''}`;
};
