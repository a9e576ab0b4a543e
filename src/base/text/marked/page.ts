import { safeTemplate, type SafeText } from './safeText';

/** Text for a text node or an attribute of the page, never for markup. One line, unless made of `page.lines`. */
export type PageText = SafeText<'page'>;

export const page = safeTemplate<'page'>((text) => text);
