import { safeTemplate } from './safeText';

/** Text for a text node or an attribute of the page, never for markup. One line, unless made of `page.lines`. */
export const page = safeTemplate<'page'>((text) => text);
