/** Why the event server gives nothing but a code, and the HTTP status that it answers with. */
export const eventAnswers = {
  REQUEST_INVALID: { status: 400, meaning: 'The parameters of the request cannot be followed.' },
  EVENT_ID_UNKNOWN: { status: 400, meaning: 'The journal has no event with this Last-Event-ID.' },
  NOT_SIGNED_IN: { status: 401, meaning: 'The request has neither the token nor a valid cookie.' },
  LINK_USED: { status: 401, meaning: 'A link for a browser works once, and not for long.' },
  HOST_REFUSED: { status: 403, meaning: 'The request was for another name than that of the server.' },
  ORIGIN_REFUSED: { status: 403, meaning: 'A page of another site asked.' },
  NOT_THERE: { status: 404, meaning: 'Nothing has that name, or it is gone.' },
  ONLY_READING: { status: 405, meaning: 'The server answers GET alone, because it changes nothing.' },
  HEAD_TOO_LARGE: { status: 431, meaning: 'Request line and headers are larger than this server reads.' },
  TOO_MANY_CLIENTS: { status: 503, meaning: 'The server has no stream left.' },
  NOT_READABLE: { status: 503, meaning: 'The journal or a file could not be read.' },
} as const;
export type EventAnswerCode = keyof typeof eventAnswers;
