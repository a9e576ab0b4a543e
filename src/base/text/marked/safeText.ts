import { visible } from './visible';

/** Where text is shown. `visible` stands for any of them: one line without hidden characters. */
export type Medium = 'visible' | 'terminal' | 'markdown' | 'ui' | 'page' | 'html';

/**
 * Text that may be shown as it stands in its medium: nothing in it moves, hides, forges a line or becomes markup
 * unless our own source text says so. Made by the template of its medium; a string is never one.
 */
export class SafeText<M extends Medium> {
  readonly #text: string;
  /** For the compiler: texts of two media are two types. */
  declare readonly medium: M;

  /** Only for the files of `base/text`: the caller vouches for every character. */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }
}

/** What a template takes: strings are escaped, safe texts pass through. */
export type Shown<M extends Medium> = string | number | boolean | SafeText<M> | SafeText<'visible'>;

export interface SafeTemplate<M extends Medium> {
  /** Literal parts stay as they are, every value is made safe. */
  (strings: TemplateStringsArray, ...values: readonly Shown<M>[]): SafeText<M>;
  join(parts: readonly Shown<M>[], separator: string | SafeText<M>): SafeText<M>;
  /** One part below another: the only way to make several lines. */
  lines(parts: readonly Shown<M>[]): SafeText<M>;
}

/** @param markup escapes the medium's markup in text that is already visible */
export function safeTemplate<M extends Medium>(markup: (text: string) => string): SafeTemplate<M> {
  const safe = (value: Shown<M>): string => {
    if (typeof value === 'string') return markup(visible(value));
    if (!(value instanceof SafeText)) return String(value);
    return visibleTexts.has(value) ? markup(value.toString()) : value.toString();
  };
  const joined = (parts: readonly Shown<M>[], separator: string): SafeText<M> =>
    new SafeText(parts.map(safe).join(separator));
  return Object.assign(
    (strings: TemplateStringsArray, ...values: readonly Shown<M>[]) =>
      new SafeText<M>(strings.reduce((text, literal, index) => text + safe(values[index - 1] ?? '') + literal)),
    {
      join: (parts: readonly Shown<M>[], separator: string | SafeText<M>) =>
        joined(parts, typeof separator === 'string' ? separator : separator.toString()),
      lines: (parts: readonly Shown<M>[]) => joined(parts, '\n'),
    },
  );
}

const visibleTexts = new WeakSet<object>();

/** Only for the files of `base/text`. */
export function visibleText(text: string): SafeText<'visible'> {
  const made = new SafeText<'visible'>(text);
  visibleTexts.add(made);
  return made;
}
