/** Why the event server gives nothing but a code. */
export const eventMeanings = {
  REQUEST_INVALID: 'The request is not of HTTP, or its parameters cannot be followed.',
  EVENT_ID_UNKNOWN: 'The journal has no event with this Last-Event-ID.',
  NOT_SIGNED_IN: 'The request has neither the token nor a valid cookie.',
  LINK_USED: 'The link for a browser was used before, is too old, or never was one.',
  HOST_REFUSED: 'The request was for another name than that of the server.',
  ORIGIN_REFUSED: 'A page of another site asked, or one of another port of this machine.',
  NOT_THERE: 'Nothing has that name, or it is gone.',
  ONLY_READING: 'The server answers GET alone, because it changes nothing.',
  HEAD_TOO_LARGE: 'Request line and headers are larger than this server reads.',
  TOO_MANY_CLIENTS: 'The server has no stream left.',
  NOT_READABLE: 'The journal or a file could not be read.',
} as const;
export type EventAnswerCode = keyof typeof eventMeanings;

/** The status of HTTP. */
export const eventStatuses: Readonly<Record<EventAnswerCode, number>> = {
  REQUEST_INVALID: 400,
  EVENT_ID_UNKNOWN: 400,
  NOT_SIGNED_IN: 401,
  LINK_USED: 401,
  HOST_REFUSED: 403,
  ORIGIN_REFUSED: 403,
  NOT_THERE: 404,
  ONLY_READING: 405,
  HEAD_TOO_LARGE: 431,
  TOO_MANY_CLIENTS: 503,
  NOT_READABLE: 503,
};
