/** Why the event server gives nothing but a code, and the HTTP status that it answers with. */
export const eventAnswers = {
  REQUEST_INVALID: { status: 400, meaning: 'The parameters of the request cannot be followed.' },
  EVENT_ID_UNKNOWN: { status: 400, meaning: 'It is unknown where the stream goes on.' },
  NOT_SIGNED_IN: { status: 401, meaning: 'Neither the token nor the cookie of a browser that was let in.' },
  LINK_USED: { status: 401, meaning: 'A link for a browser works once, and not for long.' },
  HOST_REFUSED: { status: 403, meaning: 'The request was for another name than that of the server.' },
  ORIGIN_REFUSED: { status: 403, meaning: 'A page of another site asked.' },
  NOT_THERE: { status: 404, meaning: 'Nothing has that name, or it is gone.' },
  ONLY_READING: { status: 405, meaning: 'Something other than GET: nothing can be changed here.' },
  HEAD_TOO_LARGE: { status: 431, meaning: 'Request line and headers are larger than this server reads.' },
  TOO_MANY_CLIENTS: { status: 503, meaning: 'As many streams are open as are served at once.' },
  NOT_READABLE: { status: 503, meaning: 'The journal or a file could not be read.' },
} as const;
export type EventAnswerCode = keyof typeof eventAnswers;
