/** Why the event server gives nothing but a code, with its HTTP status and what a client does next. */
export const eventAnswers = {
  REQUEST_INVALID: {
    status: 400,
    meaning: 'The request is not of HTTP, or its parameters cannot be followed.',
    next: 'Name each parameter once, as `docs/guide/browser.md` says.',
  },
  EVENT_ID_UNKNOWN: {
    status: 400,
    meaning: 'The journal has no event with this Last-Event-ID.',
    next: 'Leave Last-Event-ID out for what happens from now on, or ask for `/events?from=start`.',
  },
  NOT_SIGNED_IN: {
    status: 401,
    meaning: 'The request has neither the token nor a valid cookie.',
    next: 'Send the header `Authorization: Bearer TOKEN`; the server printed the token when it started.',
  },
  LINK_USED: {
    status: 401,
    meaning: 'The link for a browser was used before, is too old, or never was one.',
    next: 'With the token, `GET /link` gives another one.',
  },
  HOST_REFUSED: {
    status: 403,
    meaning: 'The request was for another name than that of the server.',
    next: 'Use the address that the server printed, such as `http://127.0.0.1:41237`.',
  },
  ORIGIN_REFUSED: {
    status: 403,
    meaning: 'A page of another site asked, or one of another port of this machine.',
    next: 'Open Mission Control by its one-time link.',
  },
  NOT_THERE: {
    status: 404,
    meaning: 'Nothing has that name, or it is gone.',
    next: 'Reload the page, or name a mission that `mission list` shows.',
  },
  ONLY_READING: {
    status: 405,
    meaning: 'The server answers GET alone, because it changes nothing.',
    next: 'Ask with GET; decide in VS Code or in a terminal.',
  },
  HEAD_TOO_LARGE: {
    status: 431,
    meaning: 'Request line and headers are larger than this server reads.',
    next: 'In a browser, remove the cookies of 127.0.0.1, because it sends those of every server there.',
  },
  TOO_MANY_CLIENTS: {
    status: 503,
    meaning: 'The server has no stream left.',
    next: 'Close a page or another client of the server, then try again.',
  },
  NOT_READABLE: {
    status: 503,
    meaning: 'The journal or a file could not be read.',
    next: 'Look at the output of the server, which says why, and at `mission doctor`.',
  },
} as const satisfies Readonly<
  Record<string, { readonly status: number; readonly meaning: string; readonly next: string }>
>;
export type EventAnswerCode = keyof typeof eventAnswers;
