import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Route } from '@partnerkit/core';
import { CliError, UsageError, writeError } from './cli-error.ts';
import { fileOf, pageNames } from './handbook/pages/page.ts';
import { type EarlierPage, placeNames, readEarlier } from './handbook/places.ts';
import { type HandbookKit, readPlatform } from './handbook/platform.ts';
import { createTexts, isLanguage, type Language, languages, type Sentences } from './handbook/texts/texts.ts';
import { writeHandbook } from './handbook/write-handbook.ts';
import { readExport, withKitModule } from './kit-module.ts';
import type { Output } from './output.ts';

export interface HandbookOptions {
  /** A module that exports the kit by default, and may export `routes` and `translations`. */
  readonly module: string;
  readonly out: string;
  readonly languages: readonly Language[];
  readonly name: string | undefined;
  readonly server: string | undefined;
}

const isKit = (value: unknown): value is HandbookKit =>
  typeof (value as Partial<HandbookKit> | undefined)?.openApi === 'function';

/** The languages of `--language`. @throws UsageError */
export const readLanguages = (text: string): readonly Language[] => {
  const names = [...new Set(text.split(','))];
  const unknown = names.find((name) => !isLanguage(name));
  if (unknown !== undefined) throw new UsageError(`--language has no "${unknown}". Use ${languages.join(', ')}.`);
  return names.filter(isLanguage);
};

const isRoutes = (value: unknown): value is readonly Route[] => Array.isArray(value);

/** A file of the handbook, as it is and as it becomes. */
interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

const readText = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** What a run finds of an earlier one. */
const inspect = (folder: string, output: Output) => {
  const refused: string[] = [];
  const earlier = (file: string): EarlierPage | undefined => {
    const path = join(folder, file);
    const text = readText(path);
    if (text === undefined) return undefined;
    const page = readEarlier(text);
    if (page?.isUntouched) return page;
    refused.push(
      page
        ? `${path} was changed outside of its places. Undo that, or move the text into a place and delete the rest of the file.`
        : `${path} has places that do not end, or two of one name. Repair its lines <!-- yours: … --> and <!-- /yours -->.`,
    );
    return page;
  };
  /** Says what the host removed: it is written again. */
  const report = (file: string, page: EarlierPage): void => {
    for (const name of placeNames)
      if (file.endsWith('.md') && !page.own.has(name))
        output.progress(`${join(folder, file)} had no place "${name}": it is back, and empty.`);
    const homeless = [...page.own].filter(([name, own]) => own !== '' && !placeNames.some((each) => each === name));
    for (const [name] of homeless)
      refused.push(
        `${join(folder, file)} has a text in the place "${name}", which no page has. Move it to another place.`,
      );
  };
  return { refused, earlier, report };
};

/** The files that an earlier run listed. */
const listedIn = (folder: string): readonly string[] =>
  [...(readText(join(folder, 'llms.txt')) ?? '').matchAll(/\]\(([a-z-]+\.(?:md|txt))\)/g)].map(([, file = '']) => file);

const changesOf = (folder: string, written: ReadonlyMap<string, string>): readonly Change[] =>
  [...written].map(([file, after]) => {
    const path = join(folder, file);
    return { path, before: readText(path), after };
  });

const write = (changes: readonly Change[]): void => {
  for (const { path, after } of changes) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, after);
    } catch (cause) {
      throw writeError(path, cause);
    }
  }
};

/** Writes the handbook for partners of a platform. Nothing is written if a text of the host could be lost. */
export const handbook = (options: HandbookOptions, output: Output): Promise<number> =>
  withKitModule({ path: options.module, isKit, output }, async ({ kit, loaded }) => {
    const exported = await readExport(options.module, 'routes', loaded['routes']);
    const routes = isRoutes(exported) ? exported : kit.routes;
    const translations = Object(loaded['translations']) as Readonly<Record<string, Sentences>>;
    const { name, server } = options;
    const platform = readPlatform(kit, {
      routes,
      ...(name === undefined ? {} : { name }),
      ...(server === undefined ? {} : { server }),
    });
    const refused: string[] = [];
    const changes: Change[] = [];
    for (const language of options.languages) {
      const folder = join(options.out, language);
      const found = inspect(folder, output);
      const listed = listedIn(folder);
      const known = new Map<string, EarlierPage>();
      for (const file of [...pageNames.map(fileOf), 'llms.txt', 'llms-full.txt']) {
        const page = found.earlier(file);
        if (page) known.set(file, page);
      }
      const texts = createTexts(language, translations[language]);
      const written = writeHandbook({ platform, texts }, (file) => known.get(file));
      for (const [file, page] of known) {
        if (written.has(file)) found.report(file, page);
        else output.progress(`${join(folder, file)} is no longer part of the handbook. It stays as it is.`);
      }
      for (const file of written.keys())
        if (listed.includes(file) && !known.has(file))
          output.progress(`${join(folder, file)} was deleted: it is written again.`);
      refused.push(...found.refused);
      changes.push(...changesOf(folder, written));
    }
    if (refused.length > 0) throw new CliError(`Nothing was written. ${refused.join(' ')}`);
    const changed = changes.filter(({ before, after }) => before !== after);
    write(changed);
    const files = changed.map(({ path }) => path);
    const said =
      files.length === 0
        ? `${options.out} is up to date: ${changes.length} files.`
        : `Wrote ${files.length} of ${changes.length} files to ${options.out}.`;
    output.result([said], { out: options.out, files: changes.length, written: files });
    return 0;
  });
