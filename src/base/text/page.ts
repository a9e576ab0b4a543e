import { safeTemplate, type SafeText } from './safeText';

/** Text of a page that is put there as text, never as markup: a node or an attribute. One line, unless made of `page.lines`. */
export type PageText = SafeText<'page'>;

export const page = safeTemplate<'page'>((text) => text);
