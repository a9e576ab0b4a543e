import { visible } from '../../base/text/marked/visible';
import { nameOfChange, type OutstandingChange } from './outstanding';

/** More names are too many to type, or to read in one command line. */
const namesAtMost = 20;

/** Names that accept a list: each by itself, or, where too many, by folders around them, with a slash at the end. */
export function acceptNames(list: readonly OutstandingChange[]): readonly string[] {
  const names = byRepository(list.map(nameOfChange));
  if (names.length <= namesAtMost) return names;
  const folders = [...new Set(names.map((name) => topOf(name)))];
  if (folders.length <= namesAtMost) return folders;
  const rest = folders.filter((name) => !isBelow(name, everything));
  return [everything, ...rest];
}

/** The same names, with one name for what `git init` makes in a folder below the workspace. */
export function byRepository(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => /^(?!\.\/\.git\/).+?\/\.git\/(?=.)/.exec(name)?.[0] ?? name))];
}

/** The names of a list that a person means by one name, as it is shown; empty: it is not on the list. */
export function namesMeant(name: string, list: readonly OutstandingChange[]): readonly string[] {
  const names = [...new Set(list.map(nameOfChange))];
  const exact = names.includes(name) ? name : names.find((one) => visible(one) === name);
  if (exact !== undefined) return [exact];
  return name.endsWith('/') ? names.filter((one) => isBelow(one, name) || isBelow(visible(one), name)) : [];
}

/** The name for the whole workspace. Facts of git and changes that could not be read have names of their own. */
const everything = './';

function isBelow(name: string, folder: string): boolean {
  if (folder !== everything) return name.startsWith(folder);
  return !/^(?:\.git\/|attempt:\d+$)/.test(name);
}

function topOf(name: string): string {
  if (name.startsWith('./')) return name;
  const slash = name.indexOf('/');
  return slash === -1 ? name : name.slice(0, slash + 1);
}
